// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <queue>
#include <vector>

#include "frond/base/types.hpp"
#include "frond/codelets/simulated_time.hpp"

namespace frond::detail {

/// The cores of a rank: of the work that can begin that of the highest priority goes to one that is free, and of the same
/// priority what came first.
class SimulatedCores {
public:
    SimulatedCores(SimulatedTime& time, index_t cores) : time_(time), idle_(cores) {}

    /// begin(): takes a core until it calls end().
    void add(int priority, SimulatedTime::Act begin);
    /// begun: when it took the core.
    void end(double begun);

    double busy_seconds() const noexcept { return busy_seconds_; }

private:
    struct Ready {
        int priority;
        count_t number;
        SimulatedTime::Act begin;

        bool operator<(const Ready& o) const noexcept {
            return priority != o.priority ? priority < o.priority : number > o.number;
        }
    };
    void begin_ready();

    SimulatedTime& time_;
    index_t idle_;
    count_t added_ = 0;
    double busy_seconds_ = 0;
    std::priority_queue<Ready> ready_;
};

}  // namespace frond::detail
