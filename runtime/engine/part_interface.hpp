// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include "frond/base/types.hpp"

namespace frond::detail {

/// A handle of `bytes` bytes (a multiple of 256) as StarPU's vectors are, but for where its memory comes from: StarPU
/// takes what was reserved on a node when it first allocates there, and gives memory back to the device when it frees,
/// in place of keeping it for data of the same size, where nobody else could have it.
starpu_data_handle_t register_part(count_t bytes);

/// Registers a part in memory of the host that outlives the handle; the host is its home node.
starpu_data_handle_t register_part_on_host(void* data, count_t bytes);

/// Memory on that node for the handle, unless some is there or reserved. False: there is none. Workers may rest.
bool reserve_part(starpu_data_handle_t handle, unsigned node);
/// What StarPU has not taken goes, on all nodes.
void drop_reserved_part(starpu_data_handle_t handle) noexcept;

}  // namespace frond::detail
