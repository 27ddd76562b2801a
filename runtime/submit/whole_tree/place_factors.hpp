// SPDX-License-Identifier: BSD-3-Clause
// Where the factors of a tree go whose pieces are planned: on the devices that make them, or on the host.
#pragma once

#include "submit/whole_tree/tree_workspace.hpp"

namespace frond::detail {

/// The bytes of memory of the device for pieces and factors.
template <class T>
count_t room_on(const TreeWorkspace<T>& workspace, std::size_t device);

/// All factors on the devices whose pieces make them.
template <class T>
void place_on_devices(TreeWorkspace<T>& workspace, count_t most_part_bytes);

/// Where some go to the host.
count_t most_part_bytes(count_t room_bytes);

/// The factors that are made first go to the host: what is written last has no work after it that would hide that.
/// wanted: [parts] places that are taken already.
template <class T>
void place_what_fits(TreeWorkspace<T>& workspace, const std::vector<std::optional<PartPlace>>& wanted);

/// What a task reads and writes, in the order of its buffers.
template <class T>
void list_parts(TreeWorkspace<T>& workspace);

}  // namespace frond::detail
