// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"

namespace frond::gpu {

/// Subtrees that one device factors together as a piece: of all of them the deepest level first, and the roots last.
struct BranchWork {
    double flops = 0;  // as CostModel has them
    count_t square_bytes = 0, launches = 0, levels = 0;  // as TreePiece has them
    count_t most_square_bytes = 0, factor_bytes = 0;  // that are on the device at a time, and that stay there
};

/// As a plan of a device counts them (PlannedFactorization), but for pairs of pivots and pieces of diagonal tiles, which end
/// steps early. roots: none is below another. O(fronts below them).
BranchWork work_of_branches(const Analysis& analysis, const std::vector<index_t>& roots, count_t scalar_bytes);

}  // namespace frond::gpu
