// SPDX-License-Identifier: BSD-3-Clause
// Columns that threshold pivoting set back are eliminated by a unit above their own, which another rank may have: so their
// values change ranks on the way up the tree, and on the way down.
#pragma once

#include <map>
#include <vector>

#include "factors/second_pass_positions.hpp"
#include "messages/tree_share.hpp"
#include "substitution/tree/substitution_plan.hpp"

namespace frond::detail {

/// Positions of x that the second pass of a unit names and that another rank holds when the forward sweep comes to the
/// unit. Their values go from source to destination before its second pass, and back after that of the backward sweep.
struct PositionRoute {
    index_t unit = 0;
    index_t source = 0, destination = 0;  // ranks; the latter has the unit
    std::vector<index_t> positions;  // ascending
};

struct PositionRoutes {
    std::vector<PositionRoute> routes;  // ascending units, then sources
    std::map<index_t, index_t> moved;  // the rank that holds a position after all routes, where that is not its owner
};

/// At first each position is held by the owner of the unit that it belongs to; a unit whose second pass names it holds it
/// from then on. All ranks compute this alike. named: of all ranks, ascending fronts, which are units.
/// Cost: O((units + positions named) log)
PositionRoutes position_routes(const std::vector<PlannedUnit>& units, const TreeShare& share,
                               const std::vector<SecondPassPositions>& named);

/// The unit that a position belongs to.
index_t unit_of_position(const std::vector<PlannedUnit>& units, index_t position);

}  // namespace frond::detail
