// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/codelets/deferral.hpp"
#include "frond/codelets/record_data.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/subtree.hpp"
#include "tasks/pivots/eliminate_failed.hpp"

namespace frond {

/// factor_subtree: W factor chunk, R entries of A, W pivots, W contribution block (when the root has one); threshold
/// pivoting: W delayed columns (unless the root has no parent), which is `second_passes.delayed` of the pivots. The entries are
/// those of the subtree, scaled, in the order of the entry map. Only cores run it. While cards factor other parts of
/// the tree: core_piece, which says why it is a task of its own.
struct SubtreeArguments : TaskArguments {
    const Analysis* analysis = nullptr;
    const Subtree* subtree = nullptr;
    PivotRule rule;
    bool threshold = false;
    cpu::MemoryAccount* account = nullptr;  // of what threshold pivoting allocates
    LateMemory* memory = nullptr;  // of the contribution block; null: it has it, or there is none
    count_t* new_bytes_of_task = nullptr;  // simulated: those of the factors, to which the task adds its own; new_bytes
};
template <class T>
starpu_codelet& factor_subtree_codelet();

/// What a front of a subtree with failed pivots takes in addition to its prediction, in operations of a real scalar:
/// the first pass that gave up, and the second pass with its update of the contribution block in place of what was
/// predicted.
double failed_front_flops(const Analysis& analysis, const RecordedFront& found);

/// Whether columns may go to a parent.
inline bool can_hand_over(const SubtreeArguments& a) {
    return a.threshold && a.analysis->tree.fronts[static_cast<std::size_t>(a.subtree->root_front)].parent >= 0;
}

}  // namespace frond
