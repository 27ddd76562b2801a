// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/job.hpp"
#include "frond/gpu/tree_run.hpp"
#include "submit/whole_tree/tree_workspace.hpp"

namespace frond::detail {

/// The tasks of resident->shared_fronts()[number], a front that all devices do by blocks of columns in turn:
/// each device gathers its blocks; block k is eliminated on its device, as soon as the pivots of block k - 1 are
/// subtracted from it; then every device subtracts those of block k from its other blocks behind it. The last columns of
/// a root are joined on the first device and eliminated together. The first device stores the factors. StarPU orders
/// the tasks by the blocks, which are its data. Called after the pieces below were submitted.
template <class T>
void submit_shared_front(Job& job, const FactorsState<T>& state, TreeWorkspace<T>& workspace, index_t number);

/// Submits, for each device, the task that fetches pivots after all such fronts.
template <class T>
void submit_fetching_of_pivots(Job& job, TreeWorkspace<T>& workspace);

}  // namespace frond::detail
