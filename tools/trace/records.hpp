// SPDX-License-Identifier: BSD-3-Clause
// What a trace says, as plain records. Times are seconds of the trace's clock, whoever recorded it: a machine or a
// simulation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace frond::cli {

struct TraceWorker {
    std::string name;  // "CPU 0", "CUDA 0_1"
    std::string kind;  // its name without numbers: workers of one kind do the same work in the same time
    int node = 0;  // where its data is
};

/// A task that ran from begin to end. The first word of its name is its kind.
struct TraceTask {
    std::int64_t job = -1;  // StarPU's number
    int kind = 0;  // place in Trace::kinds
    int worker = 0;  // place in Trace::workers
    std::string name;
    double submitted = 0, begin = 0, end = 0;
    double flops = 0;  // 0: none, or less than StarPU writes down (500)
    double bytes = 0;  // of its buffers
    std::int64_t priority = 0;
    std::uint64_t footprint = 0;  // StarPU's hash of the sizes of its buffers

    double seconds() const { return end - begin; }
};

struct TraceKind {
    std::string name;
    std::uint32_t color = 0;  // 0xRRGGBB
};

/// What must have ended before what begins: of node v the nodes before[first[v]] .. before[first[v + 1] - 1]. Nodes
/// 0 .. tasks - 1 are the tasks of the trace, in its order; the others have no time of their own.
struct TraceGraph {
    std::vector<std::int64_t> first{0};
    std::vector<int> before;

    int nodes() const { return static_cast<int>(first.size()) - 1; }
};

enum class StateClass : std::uint8_t { overhead, transfer };

/// A worker outside of tasks: it schedules, submits and calls back, or it waits for data.
struct WorkerSpan {
    int worker = 0;
    StateClass state = StateClass::overhead;
    double begin = 0, end = 0;
};

/// A copy from one memory node to another.
struct TraceTransfer {
    int from = 0, to = 0;
    double bytes = 0, begin = 0, end = 0;
};

/// What a memory node was busy with, such as allocating.
struct NodeSpan {
    int node = 0;
    std::string what;
    double begin = 0, end = 0;
};

struct MemorySample {
    int node = 0;
    double time = 0, bytes = 0;  // in use from then on
};

/// A part of the run that the program named: a factorization, a solve.
struct TracePhase {
    std::string name;
    double begin = 0, end = 0;
};

/// A line that the program wrote into the trace.
struct TraceNote {
    double time = 0;
    std::string text;
};

struct Trace {
    std::vector<TraceWorker> workers;
    std::vector<std::string> nodes;  // memory nodes by number
    std::vector<TraceKind> kinds;
    std::vector<TraceTask> tasks;  // by begin
    TraceGraph graph;
    std::vector<WorkerSpan> states;  // of each worker by begin
    std::vector<TraceTransfer> transfers;  // by begin
    std::vector<NodeSpan> node_states;
    std::vector<MemorySample> memory;  // by time
    bool memory_of_handles = false;  // memory of node 0 is what tasks' data takes, not what StarPU allocated
    std::vector<TracePhase> phases;  // by begin
    std::vector<TraceNote> notes;
    std::int64_t unfinished = 0;  // tasks that began and did not end before the trace did
};

}  // namespace frond::cli
