// SPDX-License-Identifier: BSD-3-Clause
#include "session/session_state.hpp"

#include <starpu.h>
#include <unistd.h>

#include <cstdlib>

#include "frond/base/error.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/cpu/blas_info.hpp"
#include "memory/free_memory.hpp"
#include "session/blas_threads.hpp"

namespace frond::detail {
namespace {

std::mutex& registry_mutex() {
    static std::mutex mutex;
    return mutex;
}

std::weak_ptr<SessionState>& registry() {
    static std::weak_ptr<SessionState> current;
    return current;
}

}  // namespace

std::shared_ptr<SessionState> SessionState::acquire(const SessionOptions& options) {
    const std::lock_guard lock(registry_mutex());
    if (auto existing = registry().lock(); existing && existing->running()) return existing;
    auto created = std::make_shared<SessionState>(options);
    registry() = created;
    return created;
}

SessionState::SessionState(const SessionOptions& options) {
    if (options.communicator != nullptr)
        throw InvalidArgument("communicator: this build runs in one process; pass nullptr");
    if (options.cpu_workers < 0)
        throw InvalidArgument("cpu_workers = " + std::to_string(options.cpu_workers) +
                              "; it must be 0 (one a core) or positive");
    if (!starpu_is_initialized()) start_starpu(options);
    cpu_workers_ = static_cast<index_t>(starpu_cpu_worker_get_count());
    const starpu_sched_policy* policy = starpu_sched_get_sched_policy();
    scheduler_ = policy != nullptr && policy->policy_name != nullptr ? policy->policy_name : "unknown";
    if (cpu_workers_ == 0) {
        if (owns_starpu_) starpu_shutdown();
        throw RuntimeError("StarPU has no CPU worker; unset STARPU_NCPU=0 or give it a core");
    }
    if (owns_starpu_) starpu_pause();
}

void SessionState::start_starpu(const SessionOptions& options) {
    starpu_conf conf;
    int status = starpu_conf_init(&conf);
    if (status != 0) throw RuntimeError("starpu_conf_init failed with code " + std::to_string(status));
    conf.catch_signals = 0;
    if (options.cpu_workers > 0) conf.ncpus = options.cpu_workers;
    // No task of this build has a GPU implementation: a GPU worker would only hold a core back.
    conf.ncuda = 0;
    conf.nhip = 0;
    conf.nopencl = 0;
    if (!options.scheduler.empty())
        conf.sched_policy_name = options.scheduler.c_str();
    else if (std::getenv("STARPU_SCHED") == nullptr)
        conf.sched_policy_name = "lws";
    status = starpu_init(&conf);
    if (status != 0)
        throw RuntimeError("starpu_init failed with code " + std::to_string(status) +
                           (status == -ENODEV ? " (no worker could be started)" : ""));
    owns_starpu_ = true;
}

SessionState::~SessionState() {
    host_heap(Lifetime::lasting).trim();
    host_heap(Lifetime::temporary).trim();
    if (!owns_starpu_ || !starpu_is_initialized()) return;
    starpu_resume();
    starpu_shutdown();
}

bool SessionState::running() const noexcept { return starpu_is_initialized() != 0; }

void SessionState::expect_running() const {
    if (!running())
        throw RuntimeError(
            "StarPU was shut down while Frond still held a session; keep it running until the last "
            "Session, Solver and Factors are gone");
}

void SessionState::enter_job() {
    const std::lock_guard lock(mutex_);
    expect_running();
    if (jobs_++ > 0) return;
    blas_threads_before_ = set_blas_threads(1);
    if (owns_starpu_) starpu_resume();
}

void SessionState::leave_job() noexcept {
    const std::lock_guard lock(mutex_);
    if (--jobs_ > 0) return;
    if (owns_starpu_ && running()) starpu_pause();
    set_blas_threads(blas_threads_before_);
}

SessionInfo SessionState::info() const {
    SessionInfo info;
    info.owns_starpu = owns_starpu_;
    info.cpu_workers = cpu_workers_;
    info.scheduler = scheduler_;
    int version[3] = {0, 0, 0};
    starpu_get_version(&version[0], &version[1], &version[2]);
    info.starpu_version = std::to_string(version[0]) + "." + std::to_string(version[1]) + "." +
                          std::to_string(version[2]);
    if (running()) {
        info.cuda_workers = static_cast<index_t>(starpu_cuda_worker_get_count());
        info.hip_workers = static_cast<index_t>(starpu_hip_worker_get_count());
    }
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

Session::Session(const SessionOptions& options) : state_(detail::SessionState::acquire(options)) {}

SessionInfo Session::info() const { return state_->info(); }

}  // namespace frond
