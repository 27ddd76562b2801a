// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/job.hpp"
#include "submit/whole_tree/tree_workspace.hpp"

namespace frond::detail {

/// A task for each piece of the tree, to a worker of its device or to any core. Blocks between pieces, the values of the
/// matrix and the parts of state say what waits for what. run must live until they have ended. What cores say of their
/// pivots is in workspace.core_pivots then.
template <class T>
void submit_pieces(Job& job, const FactorsState<T>& state, TreeWorkspace<T>& workspace, const gpu::TreeRun<T>& run);

}  // namespace frond::detail
