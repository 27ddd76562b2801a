// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "submit/whole_tree/tree_workspace.hpp"

namespace frond::detail {

/// Plans workspace.failed.analysis(), in which columns are delayed since pivots failed, for the same devices. before: the
/// analysis in which they failed. Where the tree was in several pieces on devices, it is cut where it was, and
/// workspace.kept has those that are the same: with their factors, which workspace.parts has of that round, and with what
/// other pieces read of them. Null: all pieces are factored anew.
template <class T>
void plan_next_round(TreeWorkspace<T>& workspace, std::shared_ptr<const Analysis> before, SessionState& session);

}  // namespace frond::detail
