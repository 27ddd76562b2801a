// SPDX-License-Identifier: BSD-3-Clause
#include "session/starpu/forks.hpp"

#include "frond/base/error.hpp"
#include "frond/codelets/starpu_start.hpp"

#include <starpu.h>

#include <atomic>
#include <new>
#include <pthread.h>

namespace frond::detail {
namespace {

std::atomic<bool> without_threads{false};

/// What was made with the parent's StarPU then belongs to none that runs, so that nothing asks it
/// to be freed.
void in_child() {
    if (starpu_is_initialized() == 0) return;
    without_threads = true;
    StarpuStart::next();
}

bool watches() noexcept {
    static const bool is_watching = pthread_atfork(nullptr, nullptr, in_child) == 0;
    return is_watching;
}

/// When the library is loaded: an application may start StarPU and fork before it opens a session.
[[maybe_unused]] const bool watched_from_start = watches();

}  // namespace

void expect_forks_watched() {
    if (!watches()) throw std::bad_alloc();
}

bool has_lost_threads() noexcept { return without_threads; }

void expect_not_forked() {
    if (without_threads)
        throw RuntimeError(
            "this process was made by fork() while StarPU ran, whose threads stayed "
            "with its parent; fork before the "
            "first session, or after the last Session, Solver and Factors are gone, "
            "or start a program (exec) in it");
}

}  // namespace frond::detail
