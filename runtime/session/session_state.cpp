// SPDX-License-Identifier: BSD-3-Clause
#include "session/session_state.hpp"

#include <starpu.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <new>

#include "frond/base/error.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/base/return_freed_memory.hpp"
#include "frond/cpu/blas_info.hpp"
#include "frond/gpu/devices.hpp"
#include "memory/free_memory.hpp"
#include "session/blas_threads.hpp"
#include "session/device_memory_limit.hpp"
#include "session/forks.hpp"
#include "session/pinned_segments.hpp"
#include "session/scheduler_choice.hpp"
#include "session/start_starpu.hpp"
#include "session/startable.hpp"
#include "session/worker_binding.hpp"

namespace frond::detail {
namespace {

/// The state that sessions share, and whether it still holds StarPU: its destructor runs after the last
/// shared pointer has gone, and nobody may start StarPU before that has ended.
struct Registry {
    std::mutex mutex;
    std::condition_variable closed;
    std::weak_ptr<SessionState> current;
    const SessionState* open = nullptr;
};

Registry& registry() {
    static Registry instance;
    return instance;
}

bool has_device_workers() { return starpu_cuda_worker_get_count() + starpu_hip_worker_get_count() > 0; }

void expect_no_lost_device() {
    if (gpu::has_lost_device())
        throw DeviceError(
            "a kernel failed on a device earlier in this process, which StarPU cannot go on without; start the "
            "program anew");
}

void expect_valid(const SessionOptions& options) {
    if (options.communicator != nullptr)
        throw InvalidArgument("communicator: this build runs in one process; pass nullptr");
    if (options.gpus < -1)
        throw InvalidArgument("gpus = " + std::to_string(options.gpus) +
                              "; it must be -1 (all), 0 (none) or positive");
    if (options.cpu_workers < 0)
        throw InvalidArgument("cpu_workers = " + std::to_string(options.cpu_workers) +
                              "; it must be 0 (one a core) or positive");
    expect_device_memory_limit(options.gpu_memory_bytes);
}

std::string text_of(const std::string& value) { return value.empty() ? "''" : value; }
std::string text_of(count_t value) { return std::to_string(value); }

}  // namespace

std::shared_ptr<SessionState> SessionState::acquire(const SessionOptions& options) {
    expect_forks_watched();
    expect_not_forked();
    expect_valid(options);
    std::shared_ptr<SessionState> found;  // outlives the lock, which its destructor takes
    Registry& r = registry();
    std::unique_lock lock(r.mutex);
    while (!(found = r.current.lock()) && r.open != nullptr) r.closed.wait(lock);
    if (found && found->running()) {
        found->expect_joinable(options);
        return found;
    }
    auto created = std::make_shared<SessionState>(options);
    r.current = created;
    r.open = created.get();
    return created;
}

SessionState::SessionState(const SessionOptions& options) : pinned_heap_(pinned_segments()), asked_(options) {
    // Sessions in static variables end after what was made before them.
    host_heap();
    expect_no_lost_device();
    owns_starpu_ = starpu_is_initialized() == 0;
    if (owns_starpu_) expect_startable(options);
    StartedStarpu started;
    start_or_join(options, started);
    start_ = StarpuStart::next();
    look_at_workers();
    // Frond counts the host's memory. StarPU would stand still where tiles leave a device for more memory than it
    // believes that the host has.
    if (owns_starpu_ && gpus_ > 0) starpu_malloc_on_node_set_default_flags(STARPU_MAIN_RAM, STARPU_MALLOC_PINNED);
    if (owns_starpu_) started.pause();
    if (has_devices()) measure_rates();
    started.release();
}

/// All sessions share one StarPU. What a later one asks for must be what there is, or what the first one asked for.
void SessionState::expect_joinable(const SessionOptions& options) const {
    if (!owns_starpu_) return;
    const auto expect = [](const std::string& name, const auto& wanted, const auto& default_value, const auto& asked,
                           const auto& used) {
        if (wanted == default_value || wanted == asked || wanted == used) return;
        throw InvalidArgument(name + " = " + text_of(wanted) + ", but a session with " + name + " = " + text_of(used) +
                              " is open in this process, and all of them share one StarPU; take that, or open this "
                              "session after the last Session, Solver and Factors of that one are gone");
    };
    const SessionOptions defaults;
    expect("cpu_workers", options.cpu_workers, defaults.cpu_workers, asked_.cpu_workers, cpu_workers_);
    expect("gpus", options.gpus, defaults.gpus, asked_.gpus, gpus_);
    expect("gpu_memory_bytes", options.gpu_memory_bytes, defaults.gpu_memory_bytes, asked_.gpu_memory_bytes,
           asked_.gpu_memory_bytes);
    expect("scheduler", options.scheduler, defaults.scheduler, asked_.scheduler, scheduler_);
}

/// Once a process, and quick; results of deterministic runs do not depend on it.
void SessionState::measure_rates() {
    const int before = set_blas_threads(1);
    gpu::measure_rates();
    set_blas_threads(before);
}

void SessionState::look_at_workers() {
    cpu_workers_ = static_cast<index_t>(starpu_cpu_worker_get_count());
    if (cpu_workers_ == 0)
        throw RuntimeError("StarPU has no CPU worker; unset STARPU_NCPU=0 or give it a core");
    const starpu_sched_policy* policy = starpu_sched_get_sched_policy();
    scheduler_ = policy != nullptr && policy->policy_name != nullptr ? policy->policy_name : "unknown";
    if (!has_device_workers() && emulated_gpus_ == 0) return;
    // Also where STARPU_NCUDA started workers in spite of what Frond asked for.
    if (gpu_advice_.empty()) gpu_advice_ = gpu::why_unusable();
    if (gpu_advice_.empty())
        gpu_advice_ = why_no_cards({scheduler_, owns_starpu_ ? "scheduler" : "the application's scheduler"});
    if (!gpu_advice_.empty()) return;
    gpu::add_device_tasks();
    gpus_ = static_cast<index_t>(starpu_memory_nodes_get_count_by_kind(STARPU_CUDA_RAM) +
                                 starpu_memory_nodes_get_count_by_kind(STARPU_HIP_RAM)) + emulated_gpus_;
}

index_t SessionState::gpus_to_start(const SessionOptions& options, const AskedScheduler& asked) {
    const index_t found = options.gpus == 0 ? 0 : gpu::device_count();
    if (found > 0) gpu_advice_ = gpu::why_unusable();
    // An application's StarPU has the application's scheduler and cards, whatever was asked for here.
    if (found > 0 && gpu_advice_.empty() && owns_starpu_) gpu_advice_ = why_no_cards(asked);
    const index_t usable = gpu_advice_.empty() ? found : 0;
    if (options.gpus > usable && owns_starpu_)
        throw InvalidArgument("gpus = " + std::to_string(options.gpus) + ", but " + std::to_string(usable) +
                              " can be used" + (gpu_advice_.empty() ? "" : " (" + gpu_advice_ + ")") +
                              "; take -1 for those that there are, 0 for none");
    if (usable == 0) return 0;
    return options.gpus < 0 ? usable : std::min(usable, options.gpus);
}

void SessionState::start_or_join(const SessionOptions& options, StartedStarpu& started) {
    const AskedScheduler asked = asked_scheduler(options.scheduler, std::getenv("STARPU_SCHED"));
    const index_t gpus = gpus_to_start(options, asked);
    if (gpu::vendor_of_build() == DeviceVendor::emulated) emulated_gpus_ = gpus;  // StarPU knows nothing of it
    // StarPU chooses devices for the calling thread, also to measure those that it is not to use.
    const gpu::KeptDevice kept(gpu::device_count() > 0);
    if (!owns_starpu_) {
        // StarPU counts its users: this only joins them, and what Frond registered stays valid when the application
        // shuts down first.
        started.start(nullptr);
        worker_binding_ = "the application's";
    } else {
        worker_binding_ = to_string(start_starpu(options, suitable_scheduler(asked, gpus), gpus, started));
    }
}

SessionState::~SessionState() {
    host_heap().trim();
    spare_solve_.reset();
    workspace_.reset();
    block_ = DeviceBlock();
    // StarPU would end the process where it cleans up a lost device; so it is left running.
    if (running() && !gpu::has_lost_device()) {
        if (owns_starpu_) starpu_resume();
        pinned_heap_.trim();
        if (has_devices()) gpu::release_worker_contexts();
        shut_down_starpu();
    }
    Registry& r = registry();
    const std::lock_guard lock(r.mutex);
    if (r.open != this) return;  // another took its place after the application's shutdown
    r.open = nullptr;
    r.closed.notify_all();
}

void SessionState::expect_running() const {
    expect_not_forked();
    if (!running())
        throw RuntimeError(
            "StarPU was shut down more often than the application started it, under a session of Frond; "
            "call starpu_shutdown once for each starpu_init");
    if (has_devices()) expect_no_lost_device();
}

void SessionState::add_hold(DeviceHold& hold) {
    const std::lock_guard lock(holds_mutex_);
    holds_.push_back(&hold);
}

void SessionState::remove_hold(DeviceHold& hold) noexcept {
    const std::lock_guard lock(holds_mutex_);
    std::erase(holds_, &hold);
}

void SessionState::pause_holds() {
    ++hold_pauses_;  // first: who holds after this was asked before it, and is met below
    const std::lock_guard lock(holds_mutex_);
    for (DeviceHold* const hold : holds_) hold->release_device();
}

count_t SessionState::held_bytes(const DeviceHold* asking) {
    const std::lock_guard lock(holds_mutex_);
    count_t bytes = 0;
    for (const DeviceHold* const hold : holds_)
        if (hold != asking) bytes += hold->device_bytes();
    return bytes;
}

std::unique_ptr<DeviceWorkspace> SessionState::take_workspace() {
    const std::lock_guard lock(holds_mutex_);
    return std::move(workspace_);
}

void SessionState::keep_workspace(std::unique_ptr<DeviceWorkspace> workspace) {
    const std::lock_guard lock(holds_mutex_);
    std::swap(workspace_, workspace);  // the one before goes after the lock
}

count_t SessionState::workspace_bytes() {
    const std::lock_guard lock(holds_mutex_);
    return workspace_ != nullptr ? workspace_->device_bytes() : 0;
}

std::unique_ptr<DeviceWorkspace> SessionState::take_spare_solve() {
    const std::lock_guard lock(spare_solve_mutex_);
    return std::move(spare_solve_);
}

void SessionState::keep_spare_solve(std::unique_ptr<DeviceWorkspace> solve) {
    const std::lock_guard lock(spare_solve_mutex_);
    std::swap(spare_solve_, solve);
}

count_t SessionState::spare_solve_bytes() {
    const std::lock_guard lock(spare_solve_mutex_);
    return spare_solve_ != nullptr ? spare_solve_->device_bytes() : 0;
}

DeviceBlock SessionState::take_block(unsigned node, count_t bytes) {
    DeviceBlock kept;
    {
        const std::lock_guard lock(holds_mutex_);
        kept = std::move(block_);
    }
    const bool fits = !kept.is_empty() && kept.node() == node && kept.bytes() >= bytes && kept.bytes() / 2 <= bytes;
    if (!fits) {
        kept = DeviceBlock();  // its memory first
        kept = DeviceBlock(node, bytes);
    }
    kept.take_back_all();
    return kept;
}

void SessionState::keep_block(DeviceBlock block) noexcept {
    const std::lock_guard lock(holds_mutex_);
    if (running()) block_ = std::move(block);
}

void SessionState::enter_job() {
    const std::lock_guard lock(mutex_);
    expect_running();
    if (jobs_++ > 0) return;
    blas_threads_before_ = set_blas_threads(1);
}

void SessionState::leave_job() noexcept {
    const std::lock_guard lock(mutex_);
    if (--jobs_ > 0) return;
    set_blas_threads(blas_threads_before_);
}

void SessionState::wake_workers() {
    const std::lock_guard lock(mutex_);
    if (wakes_++ == 0 && owns_starpu_) starpu_resume();
}

bool SessionState::join_workers() {
    const std::lock_guard lock(mutex_);
    if (wakes_ == 0) return false;
    ++wakes_;
    return true;
}

void SessionState::rest_workers() noexcept {
    const std::lock_guard lock(mutex_);
    if (--wakes_ == 0 && owns_starpu_ && running()) starpu_pause();
}

count_t SessionState::give_back_memory() {
    const auto held = [this] { return host_heap().reusable_bytes() + pinned_heap_.reusable_bytes(); };
    const count_t before = held();
    if (has_devices()) {
        const JobGuard guard(*this);  // pinned memory goes through StarPU
        pinned_heap_.give_back();
    }
    host_heap().give_back();
    return_freed_memory();
    return std::max<count_t>(before - held(), 0);  // others may have released blocks meanwhile
}

SessionInfo SessionState::info() const {
    SessionInfo info;
    info.owns_starpu = owns_starpu_;
    info.cpu_workers = cpu_workers_;
    info.scheduler = scheduler_;
    info.worker_binding = worker_binding_;
    int version[3] = {0, 0, 0};
    starpu_get_version(&version[0], &version[1], &version[2]);
    info.starpu_version = std::to_string(version[0]) + "." + std::to_string(version[1]) + "." +
                          std::to_string(version[2]);
    if (running()) {
        info.cuda_workers = static_cast<index_t>(starpu_cuda_worker_get_count());
        info.hip_workers = static_cast<index_t>(starpu_hip_worker_get_count());
    }
    info.gpu_vendor = gpu::vendor_of_build();
    info.gpus = gpus_;
    info.gpu_advice = gpu_advice_;
    const BlasInfo blas = blas_info();
    info.blas = blas.name_version;
    info.blas_kernel = blas.kernel;
    info.blas_advice = blas.advice;
    info.memory_total_bytes =
        static_cast<count_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<count_t>(sysconf(_SC_PAGESIZE));
    info.memory_free_bytes = free_memory_bytes();
    return info;
}

}  // namespace frond::detail

namespace frond {

Session::Session(const SessionOptions& options) try
    : state_(detail::SessionState::acquire(options)) {
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

count_t Session::give_back_memory() const try {
    return state_->give_back_memory();
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

SessionInfo Session::info() const try {
    return state_->info();
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

}  // namespace frond
