// SPDX-License-Identifier: BSD-3-Clause
// Which parts of a substitution are tasks: chosen by estimates, with the same bits whatever is chosen.
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/codelets/rates.hpp"

namespace frond::detail {

enum class SubstitutionWay : std::uint8_t {
    alone,  // on the caller's thread, without tasks
    groups,  // a task for some units that hang together, where each is small
    units  // a task a subtree, some tasks a front on tiles; StarPU brings the factors
};

/// A subtree or a front on tiles.
struct PlannedUnit {
    index_t front = -1;  // the subtree's root
    index_t subtree = -1;  // -1: on tiles
    index_t parent = -1;  // unit
    index_t first_column = 0;
    index_t end_column = 0;
    count_t scalars = 0;  // of its factors
    double seconds = 0;  // estimate of one sweep through it, on one core
    index_t group = -1;  // -1: its tiles are tasks of their own
};

/// Units first .. root, one task in each sweep: a unit with all below it, or the root alone.
struct UnitGroup {
    index_t first = 0;
    index_t root = 0;
};

struct SubstitutionPlan {
    SubstitutionWay way = SubstitutionWay::units;
    std::vector<PlannedUnit> units;  // postorder
    std::vector<UnitGroup> groups;  // of way = groups; ascending
};

/// Sizes of one substitution.
struct SubstitutionLoad {
    index_t rhs = 1;  // of one block
    index_t blocks = 1;  // of right-hand sides, independent of each other
    index_t cores = 1;
    count_t scalar_bytes = 8;
    double flops_per_product = 2;  // 8 for complex scalars, less where single precision is quicker
};

/// All units, without estimates and in no group.
std::vector<PlannedUnit> plan_units(const Analysis& analysis);

/// Units with their estimates; in groups as if the way were `groups`.
SubstitutionPlan plan_substitution(const Analysis& analysis, const SubstitutionLoad& load, const Rates& rates);

/// Estimates of forward and backward sweep together.
double substitution_seconds_alone(const SubstitutionPlan& plan, const SubstitutionLoad& load);
double substitution_seconds_by_tasks(const SubstitutionPlan& plan, const Analysis& analysis,
                                     const SubstitutionLoad& load, const Rates& rates);

}  // namespace frond::detail
