// SPDX-License-Identifier: BSD-3-Clause
#include "messages/thread/idle_workers.hpp"

#include <starpu.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace frond::detail {

/// What a hook of StarPU is given. A worker may still call it when the hook has been taken back, so it outlives all that
/// look through it.
struct SleepingWorkers::Gate {
    std::mutex mutex;
    std::function<bool()> look;  // empty: nobody
    bool is_used = false;
};

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

constexpr microseconds awake{50}, shortest_nap{20}, longest_nap{100};

/// When the worker of this thread looked for a task, since it had one or a message came the last time.
struct Idleness {
    Idleness() { end_sleeps_in_time(); }
    Clock::time_point first, last;
};

/// A fiftieth of the time that has passed: so a task that another thread brings waits little longer than it must.
Clock::duration nap_after(Clock::duration idle) {
    return std::clamp<Clock::duration>(idle / 50, shortest_nap, longest_nap);
}

/// False where another worker looks.
bool look_through(SleepingWorkers::Gate& gate) {
    const std::unique_lock lock(gate.mutex, std::try_to_lock);
    return lock.owns_lock() && gate.look && gate.look();
}

/// StarPU calls it again and again while a worker finds no task: a gap means that it had one.
unsigned rest(void* raw) {
    if (starpu_worker_get_type(starpu_worker_get_id()) != STARPU_CPU_WORKER) return 0;
    thread_local Idleness idle;
    const Clock::time_point now = Clock::now();
    const bool is_back = now - idle.last > awake / 2;
    if (look_through(*static_cast<SleepingWorkers::Gate*>(raw)) || is_back)
        idle.first = now;
    else if (now - idle.first > awake)
        std::this_thread::sleep_for(nap_after(now - idle.first));
    idle.last = Clock::now();
    return 0;
}

/// Opens a gate; gates that nobody uses any more are used again.
SleepingWorkers::Gate& open_gate(std::function<bool()> look) {
    static std::mutex mutex;
    static std::deque<SleepingWorkers::Gate>& gates = *new std::deque<SleepingWorkers::Gate>;
    const std::lock_guard lock(mutex);
    for (SleepingWorkers::Gate& gate : gates) {
        const std::lock_guard gate_lock(gate.mutex);
        if (std::exchange(gate.is_used, true)) continue;
        gate.look = std::move(look);
        return gate;
    }
    SleepingWorkers::Gate& gate = gates.emplace_back();
    gate.look = std::move(look);
    gate.is_used = true;
    return gate;
}

}  // namespace

SleepingWorkers::SleepingWorkers(std::function<bool()> look)
    : gate_(open_gate(std::move(look))), hook_(starpu_idle_hook_register(rest, &gate_)) {}

SleepingWorkers::~SleepingWorkers() {
    if (hook_ >= 0) starpu_idle_hook_deregister(hook_);
    const std::lock_guard lock(gate_.mutex);
    gate_.look = nullptr;
    gate_.is_used = false;
}

void end_sleeps_in_time() noexcept {
    constexpr unsigned long slack_ns = 1000;
    prctl(PR_SET_TIMERSLACK, slack_ns, 0UL, 0UL, 0UL);  // sleeps are longer where it is refused
}

}  // namespace frond::detail
