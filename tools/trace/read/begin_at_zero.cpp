// SPDX-License-Identifier: BSD-3-Clause
#include "trace/read/begin_at_zero.hpp"

#include <algorithm>
#include <limits>

namespace frond::cli {
namespace {

double first_time(const Trace& trace) {
    double first = std::numeric_limits<double>::infinity();
    for (const TraceTask& task : trace.tasks)
        first = std::min(first, task.submitted > 0 ? std::min(task.submitted, task.begin) : task.begin);
    for (const TracePhase& phase : trace.phases) first = std::min(first, phase.begin);
    return first;
}

template <class Records>
void shift_spans(Records& records, double by) {
    for (auto& record : records) {
        record.begin -= by;
        record.end -= by;
    }
}

}  // namespace

void begin_at_zero(Trace& trace) {
    const double first = first_time(trace);
    shift_spans(trace.tasks, first);
    for (TraceTask& task : trace.tasks) task.submitted = std::max(task.submitted - first, 0.0);
    shift_spans(trace.states, first);
    shift_spans(trace.transfers, first);
    shift_spans(trace.node_states, first);
    shift_spans(trace.phases, first);
    for (MemorySample& sample : trace.memory) sample.time -= first;
    for (TraceNote& note : trace.notes) note.time -= first;
    std::erase_if(trace.states, [](const WorkerSpan& span) { return span.end <= 0; });
    std::erase_if(trace.node_states, [](const NodeSpan& span) { return span.end <= 0; });
}

}  // namespace frond::cli
