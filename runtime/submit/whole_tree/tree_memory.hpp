// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "engine/pin_beside_tasks.hpp"
#include "submit/whole_tree/tree_workspace.hpp"

namespace frond::detail {

/// The memory that the tasks of a whole tree write: parts of the factors, which are the state's from then on, and, at the
/// first factorization of the workspace, rooms of blocks.
template <class T>
void take_memory(FactorsState<T>& state, TreeWorkspace<T>& workspace);

/// The parts of factors and rooms, in the order in which pieces write them.
template <class T>
std::vector<UnreadyPart> unready_parts(FactorsState<T>& state, TreeWorkspace<T>& workspace);

}  // namespace frond::detail
