// SPDX-License-Identifier: BSD-3-Clause
#include "session/workers/late_rest.hpp"

#include <starpu.h>

#include <memory>

namespace frond::detail {
namespace {

using Clock = std::chrono::steady_clock;

/// About what a user's program does between two solves, and little for workers that then find nothing.
constexpr std::chrono::milliseconds awake_time{3};

}  // namespace

/// In a child made by fork() the thread that waits is not there, and who destroys the condition would wait for it.
LateRest::~LateRest() {
    if (!thread_.joinable()) {
        std::construct_at(&changed_);
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
        due_ = {};
        changed_.notify_all();
    }
    thread_.join();
}

void LateRest::rest() noexcept {
    const std::lock_guard lock(mutex_);
    is_due_ = was_used_ = true;
    due_ = Clock::now() + awake_time;
    if (sleeps_) changed_.notify_all();
}

bool LateRest::keep_awake() noexcept {
    const std::lock_guard lock(mutex_);
    const bool were_awake = is_due_;
    is_due_ = false;
    return were_awake;
}

/// While jobs follow each other it looks from time to time: notifying it would take each of them longer.
void LateRest::run() {
    std::unique_lock lock(mutex_);
    while (!ends_ || is_due_) {
        if (is_due_ && Clock::now() >= due_) {
            if (starpu_is_initialized() != 0) starpu_pause();
            is_due_ = false;
        } else if (is_due_) {
            changed_.wait_until(lock, due_);
        } else if (was_used_) {
            was_used_ = false;
            changed_.wait_for(lock, awake_time);
        } else {
            sleeps_ = true;
            changed_.wait(lock, [this] { return ends_ || is_due_; });
            sleeps_ = false;
        }
    }
}

}  // namespace frond::detail
