// SPDX-License-Identifier: BSD-3-Clause
// Values of the matrix on their way to the tasks of a tree on devices.
#pragma once

#include "submit/whole_tree/tree_workspace.hpp"

namespace frond::detail {

/// Values of the matrix, or of the branches that are the tree.
template <class T>
count_t count_values(const FactorsState<T>& state);

/// To pinned memory, where the tasks read them; taken where the workspace has none yet.
/// @throws DeviceError  no room for it
template <class T>
void send_values(const FactorsState<T>& state, TreeWorkspace<T>& workspace);

}  // namespace frond::detail
