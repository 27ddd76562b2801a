// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/task.hpp"

namespace frond {

/// bring_piece, of devices alone: R parts...      parts that StarPU brings to the device, while that works
starpu_codelet& bring_piece_codelet();

namespace gpu {
void bring_piece(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

}  // namespace frond
