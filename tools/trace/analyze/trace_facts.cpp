// SPDX-License-Identifier: BSD-3-Clause
#include "trace/analyze/trace_facts.hpp"

#include <algorithm>

namespace frond::cli {
namespace {

constexpr std::size_t most_phases = 8;

std::int64_t tasks_in(const Trace& trace, const TracePhase& phase) {
    return std::count_if(trace.tasks.begin(), trace.tasks.end(),
                         [&](const TraceTask& task) { return task.begin >= phase.begin && task.begin < phase.end; });
}

std::vector<TracePhase> phases_to_show(const Trace& trace) {
    std::vector<TracePhase> phases;
    for (const TracePhase& phase : trace.phases)
        if (tasks_in(trace, phase) > 0) phases.push_back(phase);
    std::sort(phases.begin(), phases.end(),
              [](const auto& a, const auto& b) { return a.end - a.begin > b.end - b.begin; });
    if (phases.size() > most_phases) phases.resize(most_phases);
    std::sort(phases.begin(), phases.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    return phases;
}

double task_seconds(const PhaseFacts& facts) {
    double seconds = 0;
    for (const KindRow& row : facts.kinds) seconds += row.seconds;
    return seconds;
}

}  // namespace

TraceFacts facts_of(const Trace& trace) {
    TraceFacts facts;
    for (const TraceTask& task : trace.tasks) facts.end = std::max(facts.end, task.end);
    for (const TracePhase& phase : trace.phases) facts.end = std::max(facts.end, phase.end);
    const std::vector<int> order = order_of_nodes(trace.graph);
    facts.readiness = readiness(trace, order);
    std::vector<TracePhase> phases = phases_to_show(trace);
    if (phases.empty()) phases.push_back({"all tasks", 0, facts.end});
    for (const TracePhase& phase : phases) {
        PhaseFacts of_phase;
        of_phase.phase = phase;
        of_phase.tasks = tasks_in(trace, phase);
        of_phase.bounds = bounds_of(trace, order, phase);
        of_phase.split = efficiency_of(trace, facts.readiness, phase);
        of_phase.kinds = kind_table(trace, phase);
        of_phase.critical_path = longest_path(trace.graph, order, seconds_in(trace, phase));
        for (const int t : of_phase.critical_path)
            of_phase.critical_seconds += trace.tasks[static_cast<std::size_t>(t)].seconds();
        facts.phases.push_back(std::move(of_phase));
    }
    return facts;
}

const PhaseFacts& main_phase(const TraceFacts& facts) {
    return *std::max_element(facts.phases.begin(), facts.phases.end(), [](const PhaseFacts& a, const PhaseFacts& b) {
        return task_seconds(a) < task_seconds(b);
    });
}

}  // namespace frond::cli
