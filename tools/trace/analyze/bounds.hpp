// SPDX-License-Identifier: BSD-3-Clause
// Lower bounds of the time that a phase needs on the workers it had, by the durations of its tasks
// (docs/traces.md, "Bounds").
#pragma once

#include "trace/analyze/task_order.hpp"

#include <vector>

namespace frond::cli {

/// Work to be shared among kinds of workers.
struct AreaProblem {
    std::vector<double> workers;  // of each kind of worker: how many, > 0
    std::vector<double> amount;  // of each kind of task: how much of it
    std::vector<std::vector<double>>
        cost;  // [kind of task][kind of worker]: seconds a unit; infinite: cannot run there
};

/// The least T for which amounts x_ig >= 0 with sum_g x_ig = amount_i and sum_i cost_ig x_ig <= workers_g T exist, by
/// the dual: max over prices p >= 0 with sum_g workers_g p_g = 1 of sum_i amount_i min_g p_g cost_ig. Any prices give a
/// lower bound, so that what is returned is one; exact to about 1e-9 for up to three kinds of workers.
double area_bound(const AreaProblem& problem);

struct Bounds {
    double area = 0;  // seconds
    double critical_path = 0;
    /// The largest of both and of t + area bound of the tasks that have at least t of path behind them, or before them.
    double both = 0;
};

/// The bounds of the tasks that begin in the phase; what they wait for outside of it is left out. A task's time on
/// another kind of worker is its own times a factor of its kind: seconds a flop there over those here where all of that
/// kind have flops, else seconds a task.
Bounds bounds_of(const Trace& trace, const std::vector<int>& order, const TracePhase& phase);

/// Kinds of workers by name, in the order of their first worker, and the kind of each worker.
struct WorkerKinds {
    std::vector<std::string> names;
    std::vector<int> counts;
    std::vector<int> of_worker;
};
WorkerKinds worker_kinds(const Trace& trace);

/// Seconds of each node that is a task and begins in the phase, else 0.
std::vector<double> seconds_in(const Trace& trace, const TracePhase& phase);

}  // namespace frond::cli
