// SPDX-License-Identifier: BSD-3-Clause
#include "trace/analyze/trace_facts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace frond::cli {
namespace {

using Place = std::pair<int, int>;  // kind, kind of worker
using Footprint = std::tuple<int, int, std::uint64_t>;  // and StarPU's hash

/// Times of tasks that a model by footprints takes for alike.
struct Alike {
    std::vector<double> seconds;

    double sum() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }
    double distance_from_mean() const {
        const double mean = sum() / static_cast<double>(seconds.size());
        double distance = 0;
        for (const double t : seconds) distance += std::abs(t - mean);
        return distance;
    }
};

/// A time that is the only one of its footprint is its own mean, which says nothing.
std::map<Place, double> model_errors(const std::map<Footprint, Alike>& times) {
    std::map<Place, double> missed, seconds;
    for (const auto& [footprint, alike] : times) {
        if (alike.seconds.size() < 2) continue;
        const Place place(std::get<0>(footprint), std::get<1>(footprint));
        missed[place] += alike.distance_from_mean();
        seconds[place] += alike.sum();
    }
    std::map<Place, double> errors;
    for (const auto& [place, sum] : seconds)
        if (sum > 0) errors[place] = missed[place] / sum;
    return errors;
}

}  // namespace

std::vector<KindRow> kind_table(const Trace& trace, const TracePhase& phase) {
    const WorkerKinds workers = worker_kinds(trace);
    std::map<Place, KindRow> rows;
    std::map<Footprint, Alike> times;
    double all_seconds = 0;
    for (const TraceTask& task : trace.tasks) {
        if (task.begin < phase.begin || task.begin >= phase.end) continue;
        const int kind = task.kind, group = workers.of_worker[static_cast<std::size_t>(task.worker)];
        KindRow& row = rows[{kind, group}];
        row.kind = kind;
        row.workers = group;
        ++row.count;
        row.seconds += task.seconds();
        row.flops += task.flops;
        all_seconds += task.seconds();
        times[{kind, group, task.footprint}].seconds.push_back(task.seconds());
    }
    const std::map<Place, double> errors = model_errors(times);
    std::vector<KindRow> table;
    for (auto& [place, row] : rows) {
        if (const auto error = errors.find(place); error != errors.end()) row.model_error = error->second;
        if (all_seconds > 0) row.share = row.seconds / all_seconds;
        table.push_back(row);
    }
    std::stable_sort(table.begin(), table.end(),
                     [](const KindRow& a, const KindRow& b) { return a.seconds > b.seconds; });
    return table;
}

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
