// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/factor_parts.hpp"
#include "frond/codelets/time_models.hpp"
#include "engine/pinned_ahead.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/codelets/starpu_start.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/session.hpp"
#include "session/recently_kept.hpp"
#include "session/starpu/device_part.hpp"
#include "session/tuning/session_tuning.hpp"
#include "session/workers/prepared_devices.hpp"

namespace frond::detail {

struct AskedScheduler;
class StartedStarpu;

/// Memory of a device that is only kept to be quick. Both may be called from any thread.
class DeviceHold {
public:
    virtual void release_device() = 0;
    virtual count_t device_bytes() const noexcept = 0;
    /// What release_device() leaves there goes to the host's memory, where that has room. cancel: may be null.
    /// @throws Cancelled
    virtual void store_factors(const std::atomic<bool>* cancel) = 0;

protected:
    ~DeviceHold() = default;
};

/// What a factorization or a solve on a device leaves there for the next one.
class DeviceWorkspace {
public:
    virtual ~DeviceWorkspace() = default;
    virtual count_t device_bytes() const noexcept = 0;
    /// The analysis that this memory belongs to.
    virtual const void* subject() const noexcept = 0;
    /// Frees all of that. False: nothing is left that the next one could use.
    virtual bool forget_memory() noexcept { return false; }
};

/// The one StarPU of the process as Frond sees it: who started it, and how many jobs run.
/// Shared by all sessions; workers are paused and BLAS threads restored while no job runs.
class SessionState {
public:
    /// Joins the state of the sessions that exist already, if the options suit it. A session of the calling thread alone has
    /// a state of its own.
    static std::shared_ptr<SessionState> acquire(const SessionOptions& options, DevicePart part = {});

    SessionState(const SessionOptions& options, DevicePart part);
    SessionState(const SessionState&) = delete;
    SessionState& operator=(const SessionState&) = delete;
    ~SessionState();

    /// Starts StarPU, unless it runs or nothing here needs it. Cards, a trace and an application's StarPU begin with the
    /// session, all else with the first task that is not the caller's. From any thread. @throws RuntimeError
    void start();
    /// Who runs the tasks of jobs; StarPU has started.
    TaskEngine& engine();

    SessionInfo info();
    /// As planned until StarPU starts.
    index_t cpu_workers() const noexcept { return cpu_workers_; }
    index_t gpus() const noexcept { return gpus_; }
    bool has_devices() const noexcept { return gpus_ > 0; }
    /// How often factor() took values in an order that was known, on this rank.
    count_t known_lists() const noexcept { return known_lists_; }
    void count_known_list() noexcept { ++known_lists_; }
    bool owns_starpu() const noexcept { return owns_starpu_; }
    /// The cut of the tuning that this session took; null: none, or measured with another number of workers.
    const TreeCut* tuned_cut() const noexcept {
        return tuning_.taken && tuning_.taken->workers == cpu_workers_ ? &tuning_.taken->tree_cut : nullptr;
    }
    /// Memory of the host that kernels read and write. What is free of it stays pinned, since pinning takes longer
    /// than copies, until trim() or the session's end.
    HostHeap& pinned_heap() noexcept { return pinned_heap_; }
    /// What was pinned of it for the next factorization.
    PinnedAhead& pinned_ahead() noexcept { return pinned_ahead_; }
    /// See Session::give_back_memory.
    count_t give_back_memory();
    /// Lets devices load the kernels of T while the caller goes on.
    template <class T>
    void prepare_devices() {
        if (has_devices() && !simulates()) prepared_devices_.prepare<T>();
    }

    /// @throws RuntimeError when StarPU was shut down although this session uses it; DeviceError after a kernel failed.
    void expect_running() const;
    /// StarPU has started, and is the one that this session uses, not a later one.
    bool running() const noexcept { return has_started_ && start_.is_running(); }
    /// It ended under the session.
    bool has_lost_starpu() const noexcept { return has_started_ && !start_.is_running(); }

    /// Between enter and leave BLAS uses one thread. Counted; nests.
    void enter_job();
    void leave_job() noexcept;
    /// Between wake and rest the workers run. Counted; nests. join: wakes nobody, and is false where
    /// they rest.
    void wake_workers();
    bool join_workers();
    void rest_workers() noexcept;

    /// Adds an object that keeps factors on a device between solves. Between pause_holds and allow_holds, for a
    /// factorization that needs the room, they have let go and must not hold anew. Counted.
    void add_hold(DeviceHold& hold);
    void remove_hold(DeviceHold& hold) noexcept;
    void pause_holds();
    /// Between these: factors that are left on devices go to the host's memory, as far as that has room.
    /// @throws Cancelled
    void store_held_factors(const std::atomic<bool>* cancel);
    void allow_holds() noexcept { --hold_pauses_; }
    bool holds_paused() const noexcept { return hold_pauses_ > 0; }
    /// The bytes that all hold except `asking`, which may change what it holds meanwhile.
    count_t held_bytes(const DeviceHold* asking = nullptr);

    /// The workspace that was kept last of that subject (null: of any), which is the caller's now; null: none, or another
    /// has it. The last few are kept.
    std::unique_ptr<DeviceWorkspace> take_workspace(const void* subject = nullptr);
    void keep_workspace(std::unique_ptr<DeviceWorkspace> workspace);
    /// Frees the memory of the workspaces. What they found out about their analyses stays.
    void forget_workspaces();
    /// The bytes of those that are kept.
    count_t workspace_bytes();

    /// Memory of solves: what solves with factors that are gone have left for factors of the same analysis.
    std::unique_ptr<DeviceWorkspace> take_spare_solve(const void* subject);
    void keep_spare_solve(std::unique_ptr<DeviceWorkspace> solve);
    void forget_spare_solves();
    count_t spare_solve_bytes();

    /// Memory for factors of devices: what others left, if its parts are alike, else new, of the host perhaps unready.
    /// @throws DeviceError, OutOfMemory
    FactorParts take_parts(const std::vector<PartPlace>& places);
    void keep_parts(FactorParts parts) noexcept;
    /// Drops parts that a factorization which failed has left.
    void drop_parts(const std::vector<PartPlace>& places);
    /// Frees the kept parts, without the parts in `except`.
    void forget_parts(const std::vector<PartPlace>& except = {});
    /// Frees all that is kept for later factorizations and solves, without the parts in `except`. It is memory of devices
    /// that StarPU cannot evict.
    void forget_kept(const std::vector<PartPlace>& except = {});
    /// The bytes of kept parts, on devices or in the host's memory, without the parts in `except`.
    count_t kept_bytes(bool on_host, const std::vector<PartPlace>& except = {});

private:
    void plan(DevicePart part);
    bool starts_with_session() const;
    std::vector<int> gpus_to_start(const SessionOptions& options, DevicePart part, const AskedScheduler& asked);
    void start_or_join(StartedStarpu& started);
    SessionOptions tuned(const SessionOptions& options, index_t cards);
    void expect_joinable(const SessionOptions& options);
    void look_at_workers();
    static void measure_rates();

    const bool is_inline_;
    std::atomic<bool> has_started_{false};
    bool owns_starpu_ = true;
    StarpuStart start_;
    std::vector<int> devices_to_start_;
    SessionOptions with_tuning_;
    std::atomic<index_t> cpu_workers_{1};
    index_t gpus_ = 0;
    index_t emulated_gpus_ = 0;  // of a build for tests
    HostHeap pinned_heap_;
    PinnedAhead pinned_ahead_{pinned_heap_};
    SessionOptions asked_;
    SessionTuning tuning_;
    std::string gpu_advice_;
    std::string worker_binding_;
    std::string scheduler_;
    std::mutex mutex_;  // of what follows, and of StarPU's start
    index_t jobs_ = 0;
    index_t wakes_ = 0;
    std::mutex holds_mutex_;
    std::vector<DeviceHold*> holds_;
    RecentlyKept<std::unique_ptr<DeviceWorkspace>> workspaces_;  // guarded by holds_mutex_, like the next
    RecentlyKept<FactorParts> parts_;
    std::mutex spare_solves_mutex_;  // holds that let go leave one here
    RecentlyKept<std::unique_ptr<DeviceWorkspace>> spare_solves_;
    std::atomic<int> hold_pauses_{0};
    std::atomic<count_t> known_lists_{0};
    PreparedDevices prepared_devices_;
};

/// pause_holds for the life of an object.
class HoldPause {
public:
    explicit HoldPause(SessionState& session) : session_(session) { session_.pause_holds(); }
    HoldPause(const HoldPause&) = delete;
    HoldPause& operator=(const HoldPause&) = delete;
    ~HoldPause() { session_.allow_holds(); }

private:
    SessionState& session_;
};

/// Workers run while this lives, outside jobs, too. Nothing happens where StarPU has been shut down.
class AwakeWorkers {
public:
    explicit AwakeWorkers(SessionState& session) : session_(session), awake_(session.running()) {
        if (awake_) session_.wake_workers();
    }
    AwakeWorkers(const AwakeWorkers&) = delete;
    AwakeWorkers& operator=(const AwakeWorkers&) = delete;
    ~AwakeWorkers() {
        if (awake_) session_.rest_workers();
    }

private:
    SessionState& session_;
    bool awake_;
};

/// Whether a job has tasks.
enum class Workers : std::uint8_t { awake, resting };

/// Lets the workers of a job sleep while this lives, unless other jobs need them. Otherwise idle ones look for tasks
/// all the time, and threads that have work to do share their cores with them. Loops run on the calling thread
/// meanwhile. It submits no tasks: where StarPU is told to bound their number, that waits for tasks to end.
class RestingWorkers {
public:
    RestingWorkers(SessionState& session, bool rest) : session_(session), rest_(rest) {
        if (rest_) session_.rest_workers();
    }
    RestingWorkers(const RestingWorkers&) = delete;
    RestingWorkers& operator=(const RestingWorkers&) = delete;
    ~RestingWorkers() {
        if (rest_) session_.wake_workers();
    }

private:
    SessionState& session_;
    bool rest_;
};

/// enter_job for the life of an object, and wake_workers. The current device of the thread stays.
class JobGuard {
public:
    explicit JobGuard(SessionState& session, Workers workers = Workers::awake)
        : device_(session.has_devices()), session_(session), awake_(workers == Workers::awake) {
        session_.enter_job();
        if (awake_) session_.wake_workers();
    }
    JobGuard(const JobGuard&) = delete;
    JobGuard& operator=(const JobGuard&) = delete;
    ~JobGuard() {
        if (awake_) session_.rest_workers();
        session_.leave_job();
    }

private:
    gpu::KeptDevice device_;
    SessionState& session_;
    bool awake_;
};

}  // namespace frond::detail
