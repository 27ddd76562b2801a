// SPDX-License-Identifier: BSD-3-Clause
// Where pieces and factors of a tree go on devices with so much room.
#pragma once

#include "submit/whole_tree/tree_workspace.hpp"

namespace frond::detail {

/// Plans for workspace.failed.analysis(), with these devices or the first alone. Large fronts are split in that analysis
/// where nothing else fits. pattern: of the matrix.
template <class T>
void plan_what_fits(TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices, const Pattern& pattern);

/// Bytes that it takes of one of its devices, factors included.
template <class T>
count_t bytes_on_device(const TreeWorkspace<T>& workspace, std::size_t device);

/// On its devices; room_bytes: of the first.
template <class T>
bool fits(const TreeWorkspace<T>& workspace, count_t room_bytes);

}  // namespace frond::detail
