// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "tasks/subtree_plan.hpp"

namespace frond::gpu {

/// Subtrees of which the squares of two levels fit in `most_scalars`, those side by side together, and single fronts
/// above them, whatever their size. In postorder.
std::vector<SubtreePlan::Range> cut_tree(const AssemblyTree& tree, count_t most_scalars);

}  // namespace frond::gpu
