// SPDX-License-Identifier: BSD-3-Clause
// Solves with factors on a device, on its worker.
#include "solve_piece.hpp"

#include <chrono>
#include <thread>

#include "check.hpp"
#include "frond/gpu/devices.hpp"

namespace frond::gpu {
namespace {

/// As soon as a task returns, StarPU asks the worker's stream for errors, and ends the process where a kernel's fault has
/// taken the device from it. So the worker of a lost device stays here. No task runs there any more, StarPU is not shut
/// down (SessionState), and who waits for a task of this worker learns of the loss by has_lost_device().
void stay_on_lost_device() {
    if (works(starpu_worker_get_memory_node(static_cast<unsigned>(starpu_worker_get_id())))) return;
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace

void solve_on_worker(void*[], void* raw) noexcept {
    run_task<DeviceSolveArguments>(raw, [](DeviceSolveArguments& a) {
        static_cast<void>(task_stream());  // StarPU warns of workers that never use theirs
        a.body(a.data);
    });
    if (static_cast<DeviceSolveArguments*>(raw)->job->stopped()) stay_on_lost_device();
}

}  // namespace frond::gpu
