// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>

namespace frond::detail {

/// Adds the seconds of its life to a sum.
class CallClock {
public:
    explicit CallClock(double& sum) : sum_(sum) {}
    CallClock(const CallClock&) = delete;
    CallClock& operator=(const CallClock&) = delete;
    ~CallClock() { sum_ += seconds(); }

    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    double& sum_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace frond::detail
