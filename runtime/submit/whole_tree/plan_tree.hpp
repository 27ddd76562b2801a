// SPDX-License-Identifier: BSD-3-Clause
// Where pieces and factors of a tree go on devices with so much room.
#pragma once

#include <optional>
#include <vector>

#include "submit/whole_tree/tree_workspace.hpp"

namespace frond::detail {

/// Plans for workspace.failed.analysis(), with these devices or the first alone. Large fronts are split in that analysis
/// where nothing else fits.
template <class T>
void plan_what_fits(TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices);

/// The same cut where the tree was cut before, if that fits, without addresses of the factors. restricted: in little
/// room, for which factors are in smaller parts.
template <class T>
void plan_as_before(TreeWorkspace<T>& workspace, const gpu::CutBefore& cut, bool restricted);
/// wanted: [parts] places that are taken already. False: the plan does not fit next to them.
template <class T>
bool place_as_before(TreeWorkspace<T>& workspace, const std::vector<std::optional<PartPlace>>& wanted);

/// Bytes that it takes of one of its devices, factors included.
template <class T>
count_t bytes_on_device(const TreeWorkspace<T>& workspace, std::size_t device);

/// On its devices; room_bytes: of the first.
template <class T>
bool fits(const TreeWorkspace<T>& workspace, count_t room_bytes);

}  // namespace frond::detail
