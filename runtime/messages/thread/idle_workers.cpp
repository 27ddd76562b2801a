// SPDX-License-Identifier: BSD-3-Clause
#include "messages/thread/idle_workers.hpp"

#include <starpu.h>
#include <sys/prctl.h>

#include <chrono>
#include <thread>

namespace frond::detail {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds awake{50}, nap{20};

/// When the worker of this thread looked for a task, since it had one the last time.
struct Idleness {
    Idleness() { end_sleeps_in_time(); }
    Clock::time_point first, last;
};

/// StarPU calls it again and again while a worker finds no task: a gap means that it had one.
unsigned rest(void*) {
    if (starpu_worker_get_type(starpu_worker_get_id()) != STARPU_CPU_WORKER) return 0;
    thread_local Idleness idle;
    const Clock::time_point now = Clock::now();
    if (now - idle.last > awake / 2) idle.first = now;
    if (now - idle.first > awake) std::this_thread::sleep_for(nap);
    idle.last = Clock::now();
    return 0;
}

}  // namespace

SleepingWorkers::SleepingWorkers() : hook_(starpu_idle_hook_register(rest, nullptr)) {}

SleepingWorkers::~SleepingWorkers() {
    if (hook_ >= 0) starpu_idle_hook_deregister(hook_);
}

void end_sleeps_in_time() noexcept {
    constexpr unsigned long slack_ns = 1000;
    prctl(PR_SET_TIMERSLACK, slack_ns, 0UL, 0UL, 0UL);  // sleeps are longer where it is refused
}

}  // namespace frond::detail
