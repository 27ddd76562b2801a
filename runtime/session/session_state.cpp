// SPDX-License-Identifier: BSD-3-Clause
#include "session/session_state.hpp"

#include <starpu.h>

#include <algorithm>
#include <condition_variable>

#include "frond/base/error.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/gpu/devices.hpp"
#include "session/callers_function.hpp"
#include "session/starpu/device_memory_limit.hpp"
#include "session/starpu/forks.hpp"
#include "session/starpu/pinned_segments.hpp"
#include "session/starpu/start_starpu.hpp"
#include "session/starpu/startable.hpp"

namespace frond::detail {
namespace {

/// The state that sessions share, and whether it still holds StarPU: its destructor runs after the last
/// shared pointer has gone, and nobody may start StarPU before that has ended.
struct Registry {
    std::mutex mutex;
    std::condition_variable closed;
    std::weak_ptr<SessionState> current;
    const SessionState* open = nullptr;
    const SessionState* left_behind = nullptr;  // so that leak checkers still see it
};

Registry& registry() {
    static Registry& instance = *new Registry;
    return instance;
}

/// In a child of fork() threads that are not there would be joined, and their locks waited for: the state stays.
void end(SessionState* state) noexcept {
    if (has_lost_threads())
        registry().left_behind = state;
    else
        delete state;
}

void expect_no_lost_device() {
    if (gpu::has_lost_device())
        throw DeviceError(
            "a kernel failed on a device earlier in this process, which StarPU cannot go on without; start the "
            "program anew");
}

/// StarPU aborts or stands still where tasks and callbacks wait for tasks.
void expect_outside_tasks() {
    if (starpu_is_initialized() != 0 && (starpu_worker_get_id() >= 0 || starpu_task_get_current() != nullptr))
        throw RuntimeError(
            "a task or callback of StarPU called Frond, and would wait there for other tasks; call Frond from a thread "
            "of the application, or give the task a session of its own with inline_tasks");
}

void expect_outside_progress() {
    if (CallersFunction::is_running())
        throw RuntimeError(
            "a progress function called Frond while the factorization that it reports on ran; call after it has ended");
}

void expect_valid(const SessionOptions& options) {
    if (options.gpus < -1)
        throw InvalidArgument("gpus = " + std::to_string(options.gpus) + "; it must be -1 (all), 0 (none) or positive");
    if (options.cpu_workers < 0)
        throw InvalidArgument("cpu_workers = " + std::to_string(options.cpu_workers) +
                              "; it must be 0 (the default) or positive");
    if (options.inline_tasks && (options.cpu_workers > 1 || options.gpus > 0 || options.communicator != nullptr))
        throw InvalidArgument(
            "inline_tasks: the calling thread runs all tasks, without other cpu_workers, gpus and a communicator; "
            "leave "
            "these out, or leave inline_tasks off");
    if (options.inline_tasks && starts_simulation())
        throw InvalidArgument("inline_tasks: a simulation has the workers of its machine; leave inline_tasks off");
    expect_device_memory_limit(options.gpu_memory_bytes);
}

std::string text_of(std::string_view value) { return value.empty() ? "''" : std::string(value); }
std::string text_of(count_t value) { return std::to_string(value); }

}  // namespace

std::shared_ptr<SessionState> SessionState::acquire(const SessionOptions& options, DevicePart part) {
    expect_valid(options);
    expect_outside_progress();
    if (options.inline_tasks) return std::make_shared<SessionState>(options, part);
    expect_forks_watched();
    expect_not_forked();
    expect_outside_tasks();
    // These outlive the lock, which the destructor of a state takes.
    std::shared_ptr<SessionState> found;
    std::unique_ptr<SessionState, void (*)(SessionState*) noexcept> made(nullptr, end);
    Registry& r = registry();
    std::unique_lock lock(r.mutex);
    while (!(found = r.current.lock()) && r.open != nullptr) r.closed.wait(lock);
    if (found && !found->has_lost_starpu()) {
        found->expect_joinable(options);
        return found;
    }
    made.reset(new SessionState(options, part));
    const std::shared_ptr<SessionState> created(std::move(made));
    r.current = created;
    r.open = created.get();
    return created;
}

SessionState::SessionState(const SessionOptions& options, DevicePart part)
    : is_inline_(options.inline_tasks), pinned_heap_(pinned_segments()), asked_(options) {
    if (is_inline_) {
        scheduler_ = "none";
        worker_binding_ = "none: the calling thread runs all tasks";
        return;
    }
    expect_no_lost_device();
    owns_starpu_ = starpu_is_initialized() == 0;
    if (owns_starpu_) expect_startable(options);
    plan(part);
    if (starts_with_session()) start();
}

TaskEngine& SessionState::engine() {
    if (is_inline_) return at_once_engine();
    start();
    return starpu_engine();
}

/// All sessions share one StarPU. What a later one asks for must be what there is, or what the first one asked for.
void SessionState::expect_joinable(const SessionOptions& options) {
    if (!owns_starpu_) return;
    const std::lock_guard lock(mutex_);
    const auto expect = [](const std::string& name, const auto& wanted, const auto& default_value, const auto& asked,
                           const auto& used) {
        if (wanted == default_value || wanted == asked || wanted == used) return;
        throw InvalidArgument(name + " = " + text_of(wanted) + ", but a session with " + name + " = " + text_of(used) +
                              " is open in this process, and all of them share one StarPU; take that, or open this "
                              "session after the last Session, Solver and Factors of that one are gone");
    };
    const SessionOptions defaults;
    expect("cpu_workers", options.cpu_workers, defaults.cpu_workers, asked_.cpu_workers, cpu_workers());
    expect("gpus", options.gpus, defaults.gpus, asked_.gpus, gpus_);
    expect("gpu_memory_bytes", options.gpu_memory_bytes, defaults.gpu_memory_bytes, asked_.gpu_memory_bytes,
           asked_.gpu_memory_bytes);
    expect("scheduler", options.scheduler, defaults.scheduler, asked_.scheduler, scheduler_);
    expect("tuning", options.tuning, defaults.tuning, asked_.tuning, tuning_.taken ? tuning_.file : "off");
}

SessionState::~SessionState() {
    prepared_devices_.stop();
    pinned_ahead_.leave();
    host_heap().trim();
    forget_kept();
    // StarPU would end the process where it cleans up a lost device; so it is left running.
    if (running() && !gpu::has_lost_device()) {
        if (owns_starpu_) starpu_resume();
        pinned_heap_.trim();
        if (has_devices()) gpu::release_worker_contexts();
        shut_down_starpu();
    }
    Registry& r = registry();
    const std::lock_guard lock(r.mutex);
    if (r.open != this) return;  // another replaced it after the application's shutdown
    r.open = nullptr;
    r.closed.notify_all();
}

void SessionState::expect_running() const {
    expect_outside_progress();
    if (is_inline_) return;
    expect_not_forked();
    expect_outside_tasks();
    if (has_lost_starpu())
        throw RuntimeError(
            "StarPU was shut down more often than the application started it, under a session of Frond; "
            "call starpu_shutdown once for each starpu_init");
    if (has_devices()) expect_no_lost_device();
}

count_t SessionState::give_back_memory() {
    const auto held = [this] {
        return host_heap().reusable_bytes() + pinned_heap_.reusable_bytes() + kept_bytes(true);
    };
    pinned_ahead_.leave();
    const count_t before = held();
    if (has_devices()) {
        const JobGuard guard(*this);  // pinned memory goes through StarPU
        if (kept_bytes(true) > 0) forget_parts();
        pinned_heap_.give_back();
    }
    host_heap().give_back();
    return_freed_memory();
    return std::max<count_t>(before - held(), 0);  // others may have released blocks meanwhile
}

}  // namespace frond::detail
