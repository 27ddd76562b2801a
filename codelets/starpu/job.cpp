// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/job.hpp"

#include "frond/base/error.hpp"

namespace frond {

void Job::fail(std::exception_ptr error) noexcept {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    stopped_.store(true, std::memory_order_release);
    ++changes_.signals;
    changed_.notify_all();
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
    ++changes_.ends;
    const bool few_left = pending_.fetch_sub(1, std::memory_order_acq_rel) - 1 <= awaited_;
    if (few_left || any_end_awaited_) changed_.notify_all();
}

void Job::wait_quietly() noexcept {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return pending_.load(std::memory_order_acquire) == 0; });
}

Job::Changes Job::changes() const noexcept {
    const std::lock_guard lock(mutex_);
    return changes_;
}

void Job::signal() noexcept {
    const std::lock_guard lock(mutex_);
    ++changes_.signals;
    changed_.notify_all();
}

void Job::wait_for_change(Changes seen, count_t few, bool any_end) {
    std::unique_lock lock(mutex_);
    awaited_ = few;
    any_end_awaited_ = any_end;
    changed_.wait(lock, [&] {
        return changes_.signals != seen.signals || (any_end && changes_.ends != seen.ends) ||
               pending_.load(std::memory_order_acquire) <= few;
    });
    awaited_ = 0;
    any_end_awaited_ = false;
}

void Job::wait_until_few(count_t few) {
    std::unique_lock lock(mutex_);
    awaited_ = few;
    changed_.wait(lock, [&] { return pending_.load(std::memory_order_acquire) <= few; });
    awaited_ = 0;
}

bool Job::wait_at_most(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return pending_.load(std::memory_order_acquire) == 0; });
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
