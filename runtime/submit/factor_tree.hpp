// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "frond/cpu/pivot_report.hpp"
#include "submit/tree_workspace.hpp"

namespace frond::detail {

/// The matrix of state on the workspace's devices, as one task; factors go to memory of `device`, or of the host.
/// False: a value is not finite (state.largest_entry then), or pivots failed (workspace.pivots_failed); then
/// state.drop_factors() is to follow. rule_of(): for state.largest_entry, which is set before. What the first solve
/// needs is prepared meanwhile where pivots are likely to be good. @throws DeviceError, OutOfMemory
template <class T>
bool factor_tree(FactorsState<T>& state, const gpu::Device& device, TreeWorkspace<T>& workspace,
                 const std::function<PivotRule()>& rule_of, PivotReport& pivots);

}  // namespace frond::detail
