// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/cpu/pivot_report.hpp"
#include "submit/whole_tree/tree_workspace.hpp"

namespace frond::detail {

/// What tasks on cores say of their pivots, and handles of that, for the pieces of cores.
template <class T>
void make_core_pivots(TreeWorkspace<T>& workspace);

/// After the tasks, to the pivots of the device: as there, where all are good. rule: of the matrix. False: some are not.
template <class T>
bool take_core_pivots(TreeWorkspace<T>& workspace, const PivotRule& rule);

}  // namespace frond::detail
