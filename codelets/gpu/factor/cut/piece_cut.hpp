// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factor/saved_blocks.hpp"
#include "plans/subtree_plan.hpp"

namespace frond::gpu {

/// The pieces of a tree, and where contribution blocks are saved between them.
struct PieceCut {
    SubtreePlan plan;
    SavedBlocks saved;
    bool for_memory = false;  // into more pieces than devices ask for
};

}  // namespace frond::gpu
