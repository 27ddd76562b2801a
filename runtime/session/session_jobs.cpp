// SPDX-License-Identifier: BSD-3-Clause
// What changes while jobs run: threads of BLAS, and workers that are awake.
#include <starpu.h>

#include "session/workers/blas_threads.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

void SessionState::enter_job() {
    const std::lock_guard lock(mutex_);
    expect_running();
    if (jobs_++ == 0) keep_to_one_blas_thread();
}

void SessionState::leave_job() noexcept {
    const std::lock_guard lock(mutex_);
    if (--jobs_ == 0) give_back_blas_threads();
}

void SessionState::wake_workers() {
    const std::lock_guard lock(mutex_);
    if (wakes_++ == 0 && owns_starpu_ && running()) starpu_resume();
}

bool SessionState::join_workers() {
    const std::lock_guard lock(mutex_);
    if (wakes_ == 0 || is_inline_) return false;
    ++wakes_;
    return true;
}

void SessionState::rest_workers() noexcept {
    const std::lock_guard lock(mutex_);
    if (--wakes_ == 0 && owns_starpu_ && running()) starpu_pause();
}

}  // namespace frond::detail
