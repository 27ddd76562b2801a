// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/simulated_bounds.hpp"
#include "frond/session.hpp"

namespace frond::cli {

/// Times that no scheduler can go below with these tasks on this machine.
struct TimeBounds {
    double work = 0;  // seconds: all tasks shared by all workers, see area_bound()
    double path = 0;  // the longest chain of tasks
    double submission = 0;  // the thread that submits

    double largest() const;
};

TimeBounds time_bounds(const SimulatedBounds& found, const SessionInfo& session);

}  // namespace frond::cli
