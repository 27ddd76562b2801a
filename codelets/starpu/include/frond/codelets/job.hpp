// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>

#include "frond/base/types.hpp"
#include "frond/codelets/simulation.hpp"
#include "frond/codelets/task_engine.hpp"
#include "frond/cpu/stop_flags.hpp"

namespace frond {

/// State that all tasks of one factorization or solve share: the first error, cancellation, progress,
/// and the count of tasks that have not ended. Completion is counted here, never asked of StarPU,
/// because other tasks of the application may run at the same time as ours.
class Job {
public:
    /// cancel (may be null) is read between tasks and must outlive the job.
    explicit Job(TaskEngine& engine, const std::atomic<bool>* cancel = nullptr) : engine_(engine), cancel_(cancel) {}
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    /// Records the first error; tasks that start later return at once.
    void fail(std::exception_ptr error) noexcept;
    /// True after an error or a cancellation.
    bool stopped() noexcept;
    /// For kernels that look between fronts. Who sees the caller's flag asks stopped() afterwards.
    cpu::StopFlags stop_flags() const noexcept { return {&stopped_, cancel_}; }

    void task_submitted() noexcept { pending_.fetch_add(1, std::memory_order_relaxed); }
    /// Acquires what the tasks that have ended did.
    count_t pending() const noexcept { return pending_.load(std::memory_order_acquire); }
    void task_ended() noexcept;

    /// What a thread has seen of the job when it decides to wait for something else.
    struct Changes {
        std::uint64_t signals = 0, ends = 0;
    };
    Changes changes() const noexcept;
    /// Something that a thread may wait for has changed; an error signals by itself.
    void signal() noexcept;
    /// Blocks until a signal came, or (any_end) a task ended, after `seen`, or until at most `few` of the submitted
    /// tasks have not ended. One thread at a time.
    void wait_for_change(Changes seen, count_t few, bool any_end);
    /// Blocks until at most `few` of the submitted tasks have not ended. One thread at a time.
    void wait_until_few(count_t few);
    /// The same for at most so long; false: some have not ended. One thread at a time.
    bool wait_at_most(std::chrono::milliseconds time);
    /// Blocks until every submitted task has ended, then throws the first error, if any.
    void wait();
    /// The same without throwing; for clean-up paths.
    void wait_quietly() noexcept;

    /// Calls hook(done_flops) at most ten times a second, one thread at a time.
    void set_progress(std::function<void(double)> hook) { progress_ = std::move(hook); }
    /// Every kind of task runs on one kind of worker only, devices where it can: results then do not
    /// depend on what the scheduler decides.
    void fix_places() noexcept { fixed_places_ = true; }
    bool has_fixed_places() const noexcept { return fixed_places_; }
    /// Devices are left alone.
    void keep_to_cores() noexcept { on_cores_ = true; }
    bool is_kept_to_cores() const noexcept { return on_cores_; }
    TaskEngine& engine() const noexcept { return engine_; }
    bool runs_at_once() const noexcept { return engine_.runs_at_once(); }
    /// In a solve, the number of substitutions before this one. -1: there is one alone.
    void set_iteration(index_t iteration) noexcept { iteration_ = iteration; }
    index_t iteration() const noexcept { return iteration_; }
    void add_flops(double flops) noexcept;
    double done_flops() const noexcept { return done_flops_.load(std::memory_order_relaxed); }
    count_t submitted() const noexcept { return submitted_total_; }
    void count_submission() noexcept { ++submitted_total_; }

private:
    void report_progress() noexcept;

    TaskEngine& engine_;
    const std::atomic<bool>* cancel_;
    std::atomic<bool> stopped_{false};
    std::atomic<count_t> pending_{0};
    count_t submitted_total_ = 0;
    index_t iteration_ = -1;
    bool fixed_places_ = false, on_cores_ = false;
    std::atomic<double> done_flops_{0};
    mutable RunMutex mutex_;
    Changes changes_;
    count_t awaited_ = 0;  // pending tasks at which changed_ is notified
    bool any_end_awaited_ = false;
    RunCondition changed_;
    std::exception_ptr error_;
    std::function<void(double)> progress_;
    std::mutex progress_mutex_;
    std::chrono::steady_clock::time_point last_progress_{};
};

}  // namespace frond
