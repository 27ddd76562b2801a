// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/analyze/bounds.hpp"

#include <vector>

namespace frond::cli {

/// Where the time of all workers went in a phase, as shares of workers x seconds that add to 1
/// (docs/traces.md, "Efficiency").
struct EfficiencySplit {
    double useful = 0;  // the flops of the tasks at the best rate that their kind of worker reached in the phase
    double kernels = 0;  // tasks beyond that
    double overhead =
        0;  // between tasks: scheduling, callbacks, submission; idle while what could run was not submitted
    double transfers = 0;  // waiting for data
    double graph = 0;  // idle while no task could run
    double scheduler = 0;  // idle while tasks were ready
};

/// The rate in flops per second that tasks with a hundredth of all their flops reach or exceed; 0 where none has flops.
double best_rate(const std::vector<const TraceTask*>& tasks);

EfficiencySplit efficiency_of(const Trace& trace, const Readiness& readiness, const TracePhase& phase);

}  // namespace frond::cli
