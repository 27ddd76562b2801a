// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/gpu/devices.hpp"

namespace frond::detail {

/// Bytes that a tree may take of a device's memory. The rest is for what else StarPU has there.
count_t room_for_tree(const gpu::Device& device) noexcept;

/// Bytes that a device must have for tasks on tiles. With less its workers, each of which holds data of its task and
/// fetches the rest, may wait for each other's memory for ever. tile_bytes: of the largest tile. While StarPU runs.
count_t least_room_for_tiles(const gpu::Device& device, count_t tile_bytes);

}  // namespace frond::detail
