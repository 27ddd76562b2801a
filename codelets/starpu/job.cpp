// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/job.hpp"

#include "frond/base/error.hpp"

namespace frond {

void Job::fail(std::exception_ptr error) noexcept {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    stopped_.store(true, std::memory_order_release);
}

bool Job::stopped() noexcept {
    if (stopped_.load(std::memory_order_acquire)) return true;
    if (cancel_ == nullptr || !cancel_->load(std::memory_order_relaxed)) return false;
    try {
        fail(std::make_exception_ptr(Cancelled("the caller asked to stop")));
    } catch (...) {
        fail(std::current_exception());
    }
    return true;
}

void Job::task_ended() noexcept {
    // Counted under the lock: a waiter that sees zero may destroy the job, which must not be in use here.
    const std::lock_guard lock(mutex_);
    if (pending_.fetch_sub(1, std::memory_order_acq_rel) - 1 <= awaited_) few_left_.notify_all();
}

void Job::wait_quietly() noexcept {
    std::unique_lock lock(mutex_);
    few_left_.wait(lock, [this] { return pending_.load(std::memory_order_acquire) == 0; });
}

bool Job::wait_for(std::chrono::milliseconds longest, count_t most) {
    std::unique_lock lock(mutex_);
    awaited_ = most;
    const bool ended =
        few_left_.wait_for(lock, longest, [&] { return pending_.load(std::memory_order_acquire) <= most; });
    awaited_ = 0;
    return ended;
}

void Job::wait() {
    wait_quietly();
    if (error_) std::rethrow_exception(error_);
}

void Job::add_flops(double flops) noexcept {
    done_flops_.fetch_add(flops, std::memory_order_relaxed);
    if (progress_) report_progress();
}

void Job::report_progress() noexcept {
    const std::unique_lock lock(progress_mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_progress_ < std::chrono::milliseconds(100)) return;
    last_progress_ = now;
    try {
        progress_(done_flops());
    } catch (...) {
        fail(std::current_exception());
    }
}

}  // namespace frond
