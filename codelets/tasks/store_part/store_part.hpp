// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/task.hpp"

namespace frond {

/// store_part, of devices alone: R part of the factors on the device, W part of the same size in pinned memory of the host
///      the second := the first
starpu_codelet& store_part_codelet();

namespace gpu {
void store_part(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

}  // namespace frond
