// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond::detail {

/// While one lives, this thread is in a function of the caller's that a job calls.
class CallersFunction {
public:
    CallersFunction() noexcept { ++depth_; }
    CallersFunction(const CallersFunction&) = delete;
    CallersFunction& operator=(const CallersFunction&) = delete;
    ~CallersFunction() { --depth_; }

    static bool is_running() noexcept { return depth_ > 0; }

private:
    static inline thread_local int depth_ = 0;
};

}  // namespace frond::detail
