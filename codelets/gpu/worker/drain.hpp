// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "check.hpp"

namespace frond::gpu {

/// For tasks that end with nothing left on their stream, also when an exception ends them: StarPU insists.
struct DrainAtExit {
    DrainAtExit() = default;
    DrainAtExit(const DrainAtExit&) = delete;
    DrainAtExit& operator=(const DrainAtExit&) = delete;
    ~DrainAtExit() { ignore(FROND_GPU(StreamSynchronize)(task_stream())); }
};

/// Waits for what the task put on its worker's stream; errors of its kernels come out here.
inline void drain() { check(FROND_GPU(StreamSynchronize)(task_stream()), "a task"); }

}  // namespace frond::gpu
