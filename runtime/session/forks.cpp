// SPDX-License-Identifier: BSD-3-Clause
#include "session/forks.hpp"

#include "frond/base/error.hpp"
#include "frond/codelets/starpu_start.hpp"

#include <starpu.h>

#include <atomic>
#include <mutex>
#include <new>
#include <pthread.h>

namespace frond::detail {
namespace {

std::atomic<bool>& without_threads() {
    static std::atomic<bool> value{false};
    return value;
}

/// What was made with the parent's StarPU then belongs to none that runs, so that nothing asks it
/// to be freed.
void in_child() {
    if (starpu_is_initialized() == 0) return;
    without_threads() = true;
    StarpuStart::next();
}

} // namespace

void watch_forks() {
    static std::once_flag once;
    std::call_once(once, [] {
        without_threads();
        StarpuStart(); // their static variables are made before the first fork
        if (pthread_atfork(nullptr, nullptr, in_child) != 0) throw std::bad_alloc();
    });
}

void expect_not_forked() {
    if (without_threads())
        throw RuntimeError("this process was made by fork() while StarPU ran, whose threads stayed "
                           "with its parent; fork before the "
                           "first session, or after the last Session, Solver and Factors are gone, "
                           "or start a program (exec) in it");
}

} // namespace frond::detail
