// SPDX-License-Identifier: BSD-3-Clause
// The graph of tasks that frond trace recorded, run again by StarPU's starpu_replay under another scheduler and on another
// number of cores and cards: for schedulers that see the graph alone.
#pragma once

#include "recorded_graph.hpp"
#include "simulate/machine_file.hpp"
#include "simulate/time_bounds.hpp"

#include <string>

namespace frond::cli {

/// What the tasks of a graph run on in a replay.
struct ReplayWorkers {
    index_t cores = 0;
    index_t cards = 0;  // with one worker each, as StarPU simulates them
};

/// All cores of a machine without cards; else each card takes one of them.
ReplayWorkers replay_workers(const SimulatedMachine& machine);

/// file: the graph's, for the message.
/// @throws InvalidArgument  a task has no time on any worker of the machine, or the machine has cards and no task has
///                          a time there, or its cards are of several models, or it has no core in addition to them
void expect_replayable(const RecordedGraph& graph, const SimulatedMachine& machine, const std::string& file);

/// The bounds by work shared by all workers, and by the longest path; replays submit at once, and copies are in
/// neither.
TimeBounds bounds_of(const RecordedGraph& graph, const SimulatedMachine& machine);

/// starpu_replay next to the program of the simulation build.
/// @throws RuntimeError  there is none; the message says how to get it
std::string replay_tool();

/// Simulated seconds of all tasks on the machine.
/// @throws RuntimeError  the tool failed, with what it said last
double replay(const std::string& tool, const RecordedGraph& graph, const SimulatedMachine& machine,
              const std::string& scheduler);

/// The files that it reads: records, on a machine with cards with the data of tasks, which are copied there; and a model
/// of the performance of tasks, whose classes are their times.
std::string replay_records(const RecordedGraph& graph, const SimulatedMachine& machine);
std::string replay_model(const RecordedGraph& graph, const SimulatedMachine& machine);

}  // namespace frond::cli
