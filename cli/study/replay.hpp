// SPDX-License-Identifier: BSD-3-Clause
// The graph of tasks that frond trace recorded, run again by StarPU's starpu_replay under another scheduler and on other
// numbers of cores: for schedulers that see the graph alone.
#pragma once

#include "simulate/machine_file.hpp"
#include "simulate/time_bounds.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace frond::cli {

/// A task as it was recorded.
struct GraphTask {
    std::int64_t job = 0;
    std::string name;
    int priority = 0;
    double seconds = 0, flops = 0;
    std::vector<std::size_t> waits_for;  // tasks before it, by their places in the graph
};

struct RecordedGraph {
    std::vector<GraphTask> tasks;  // as they were submitted

    double flops() const;
};

/// tasks.rec of frond trace. What StarPU recorded beside tasks only passes their order on.
/// @throws InvalidArgument  it cannot be read, has no tasks, tasks that did not end or ran on a card, or is of a run
///                          that was interrupted or failed
RecordedGraph read_recorded_graph(const std::string& file);

/// Of work, and of the longest path; replays submit at once.
TimeBounds bounds_of(const RecordedGraph& graph, const SimulatedMachine& machine);

/// starpu_replay beside the program of the simulation build.
/// @throws RuntimeError  there is none; the message says how to get it
std::string replay_tool();

/// Simulated seconds of all tasks on the cores of the machine.
/// @throws RuntimeError  the tool failed, with what it said last
double replay(const std::string& tool, const RecordedGraph& graph, const SimulatedMachine& machine,
              const std::string& scheduler);

/// The files that it reads: records, and a model of the performance of tasks, whose classes are their times.
std::string replay_records(const RecordedGraph& graph, double core_speed);
std::string replay_model(const RecordedGraph& graph, double core_speed);

}  // namespace frond::cli
