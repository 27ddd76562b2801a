// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/gpu/devices.hpp"

namespace frond::detail {

/// Bytes that a tree may take of a device's memory. The rest is for what else StarPU has there.
count_t room_for_tree(const gpu::Device& device) noexcept;

}  // namespace frond::detail
