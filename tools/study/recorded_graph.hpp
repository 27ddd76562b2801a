// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/read/recorded_jobs.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace frond::cli {

inline bool is_task(const RecordedJob& job) { return job.worker >= 0; }
inline bool is_on_card(const RecordedJob& job) { return job.memory_node > 0; }

/// The seconds of each job: for a task on a core end - begin; for one on a card the integral of dt / n(t) from begin to
/// end, n the tasks that run on that card at t. So tasks of several workers share a card, and all of them together take
/// the time in which it was busy. 0: no task.
std::vector<double> seconds_of_jobs(const std::vector<RecordedJob>& jobs);

/// A task as it was recorded.
struct GraphTask {
    std::int64_t job = 0;
    std::string name;
    int priority = 0;
    /// On the kind of worker where it ran its own time; on the other one the mean of the tasks with the same kind,
    /// footprint and operations that ran there. None: nothing says how long it takes there.
    std::optional<double> core_seconds, card_seconds;
    double flops = 0;
    std::vector<std::size_t> waits_for;  // tasks before it, by their places in the graph
    std::vector<RecordedAccess> accesses;
};

struct RecordedGraph {
    std::vector<GraphTask> tasks;  // as they were submitted
    bool has_cards = false;  // some ran on one

    double flops() const;
};

/// tasks.rec of frond trace. What StarPU recorded in addition to tasks only passes their order on.
/// @throws InvalidArgument  it cannot be read, has no tasks, or tasks that did not end, or is of a run that was
///                          interrupted or failed
RecordedGraph read_recorded_graph(const std::string& file);

}  // namespace frond::cli
