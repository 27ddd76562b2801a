// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/analysis/delay_pivots.hpp"

namespace frond {

/// [fronts] The number that each front has after delay_pivots; -1: it loses all its columns. O(n + delayed).
std::vector<index_t> fronts_after_delays(const AssemblyTree& tree, const std::vector<DelayedPivot>& delayed);

/// [fronts of before] Whether a front and all below it are the same in both analyses of one matrix: with the same rows
/// and columns of it in the same order, and the same children, and in the same tiles or in none. Its factors and its
/// contribution block are then the same numbers. number: by fronts_after_delays. O(rows of all fronts).
std::vector<char> same_fronts(const Analysis& before, const Analysis& after, const std::vector<index_t>& number);

}  // namespace frond
