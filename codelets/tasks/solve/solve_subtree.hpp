// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/codelets/solve_stage.hpp"
#include "frond/codelets/solve_stage.hpp"
#include "frond/codelets/task.hpp"
#include "frond/codelets/workspace_pool.hpp"

namespace frond {

/// forward_subtree: R chunk, R pivots (cpu::SubtreePivots), RW x, W y (when the root has a contribution)
/// diagonal_subtree: R chunk, R pivots, RW x
/// backward_subtree: R chunk, R pivots, RW x, R parent's segments...
/// What it has pointers to is structure, or scratch memory.
struct SubtreeSolveArguments : TaskArguments {
    SolveStage stage = SolveStage::forward;
    Operation operation = Operation::none;
    const Analysis* analysis = nullptr;
    const Subtree* subtree = nullptr;
    const ChildLink* link = nullptr;  // backward, when the root has a contribution
    WorkspacePool* workspaces = nullptr;
};
template <class T>
starpu_codelet& solve_subtree_codelet();

}  // namespace frond
