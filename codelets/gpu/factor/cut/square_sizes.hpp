// SPDX-License-Identifier: BSD-3-Clause
// Memory of fronts as squares in levels of pieces, of which two have room at a time.
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"

namespace frond::gpu {

count_t square_scalars(const Front& front);

/// [fronts] SubtreePlan::square_scalars() of the subtree of each. O(fronts + what children share of their depths).
std::vector<count_t> scalars_of_subtrees(const AssemblyTree& tree);

/// How many of its columns a front should eliminate before the others are a front of their own: all where it fits.
index_t columns_at_once(index_t npiv, index_t nfront, count_t most_scalars);

}  // namespace frond::gpu
