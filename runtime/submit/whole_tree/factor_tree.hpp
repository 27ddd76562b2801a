// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>

#include "frond/cpu/pivot_report.hpp"
#include "submit/whole_tree/tree_workspace.hpp"

namespace frond::detail {

/// The factorization of a whole tree on devices, and cores next to one, a task for each piece, with the workspace,
/// whose plan fits. False: a pivot failed there (workspace.pivots_failed) or on a core (failed_on_cores), or an entry
/// is not finite. cancel (may be null) is read between pieces.
/// @throws DeviceError; OutOfMemory where the host has no room; Cancelled
template <class T>
bool factor_tree(FactorsState<T>& state, TreeWorkspace<T>& workspace, const std::function<PivotRule()>& rule_of,
                 const std::atomic<bool>* cancel, PivotReport& pivots);

}  // namespace frond::detail
