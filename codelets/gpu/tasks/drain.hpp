// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "check.hpp"

namespace frond::gpu {

/// Waits for what the task put on its worker's stream; errors of its kernels come out here.
inline void drain() { check(FROND_GPU(StreamSynchronize)(task_stream()), "a task"); }

}  // namespace frond::gpu
