// SPDX-License-Identifier: BSD-3-Clause
// Which units are one task in a substitution by several ranks. All of them must decide alike, since what travels between
// two ranks is cut as their units are: so it is decided by the analysis and one number that rank 0 names.
#pragma once

#include "messages/tree_share.hpp"
#include "substitution/tree/substitution_plan.hpp"

namespace frond::detail {

/// Groups of units that are of one rank: a unit with all below it, or a unit alone, which have at most group_scalars
/// scalars of factors. Nothing that travels begins or ends within a group but at its root. Fronts that ranks share are in
/// none. group_scalars = 0: each unit is tasks of its own (way = units). Cost: O(units)
SubstitutionPlan plan_on_ranks(const Analysis& analysis, const TreeShare& share, count_t group_scalars);

/// The limit group_scalars, which rank 0 finds by the rates of its machine for all ranks. load.cores: of all ranks.
count_t group_scalars_on_ranks(const SubstitutionPlan& units, const SubstitutionLoad& load, const Rates& rates);

}  // namespace frond::detail
