// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factor/saved_blocks.hpp"
#include "frond/analysis/core_pieces.hpp"
#include "frond/analysis/share_tree.hpp"
#include "plans/subtree_plan.hpp"

namespace frond::gpu {

/// The pieces of a tree, and where contribution blocks are saved between them.
struct TreeCut {
    SubtreePlan plan;
    SavedBlocks saved;
    bool for_memory = false;  // into more pieces than devices ask for
};

/// The parts that devices share, in their order. Where the squares of two levels of fronts take more than
/// `most_scalars` on one of them, parts are cut into subtrees that take half of that at most, those side by side
/// together, and single fronts above them; half is for the blocks between them, more where a front needs more. A tree
/// with a front that is larger than that is not cut.
TreeCut cut_tree(const AssemblyTree& tree, const TreeShares& shares, count_t most_scalars);

/// One device and cores beside it, with room for the whole tree.
TreeCut cut_beside_cores(const AssemblyTree& tree, const Mapping& mapping, const CorePieces& pieces);

}  // namespace frond::gpu
