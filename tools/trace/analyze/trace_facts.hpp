// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/analyze/bounds.hpp"

#include <optional>
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

/// Tasks of one kind on one kind of worker.
struct KindRow {
    int kind = 0;  // place in Trace::kinds
    int workers = 0;  // place in WorkerKinds::names
    std::int64_t count = 0;
    double seconds = 0;
    double share = 0;  // of the seconds of all tasks
    double flops = 0;
    /// sum |t - m| / sum t over the tasks whose footprint several tasks of the row have; m is the mean of t over these: by
    /// so much a model misses that keeps a mean for each footprint. None: no footprint comes twice.
    std::optional<double> model_error;

    double flops_per_second() const { return seconds > 0 ? flops / seconds : 0; }
};

/// The kinds of the tasks that begin in the phase, by descending seconds.
std::vector<KindRow> kind_table(const Trace& trace, const TracePhase& phase);

struct PhaseFacts {
    TracePhase phase;
    std::int64_t tasks = 0;
    Bounds bounds;
    EfficiencySplit split;
    std::vector<KindRow> kinds;
    std::vector<int> critical_path;  // tasks, in their order
    double critical_seconds = 0;  // of them, as they ran
};

/// All that is computed of a trace as a whole.
struct TraceFacts {
    double end = 0;  // of the last task or phase
    Readiness readiness;
    std::vector<PhaseFacts> phases;  // those with tasks, at most eight: the longest; by begin
};

/// O(phases x (tasks + arrows)). @throws InvalidArgument  the graph is none
TraceFacts facts_of(const Trace& trace);

/// The phase with most seconds of tasks: what pictures of the whole tree show.
const PhaseFacts& main_phase(const TraceFacts& facts);

}  // namespace frond::cli
