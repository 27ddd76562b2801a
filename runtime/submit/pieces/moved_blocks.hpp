// SPDX-License-Identifier: BSD-3-Clause
// Data that set out for other devices as soon as they are made.
#pragma once

#include <vector>

#include "frond/gpu/devices.hpp"
#include "submit/whole_tree/tree_workspace.hpp"

namespace frond::detail {

/// The workers of a device with memory of its own that do not run its pieces: they can work at the same time.
std::vector<int> other_workers(const gpu::Device& device);

/// For AfterTask; blocks: std::vector<MovedBlock>. StarPU fetches what a task reads once nothing else is left to wait for.
/// What other devices use sets out as soon as it is made, while they still work. The task fetches what this could not
/// bring.
void begin_to_move(void* blocks) noexcept;

}  // namespace frond::detail
