// SPDX-License-Identifier: BSD-3-Clause
#include "replay.hpp"

#include "frond/base/error.hpp"
#include "trace/analyze/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace frond::cli {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

struct Seconds {
    double on_core = never, on_card = never;

    double least() const { return std::min(on_core, on_card); }
    auto operator<=>(const Seconds&) const = default;
};

Seconds seconds_on(const SimulatedMachine& machine, const GraphTask& task) {
    return {task.core_seconds ? *task.core_seconds / machine.core_speed : never,
            machine.card_count() > 0 ? task.card_seconds.value_or(never) : never};
}

double work_bound(const std::map<Seconds, double>& counts, const ReplayWorkers& workers) {
    AreaProblem area;
    area.workers.push_back(workers.cores);
    if (workers.cards > 0) area.workers.push_back(workers.cards);
    for (const auto& [seconds, count] : counts) {
        area.amount.push_back(count);
        area.cost.push_back({seconds.on_core});
        if (workers.cards > 0) area.cost.back().push_back(seconds.on_card);
    }
    return area_bound(area);
}

void expect_cards_of_use(const RecordedGraph& graph, const SimulatedMachine& machine, const std::string& file) {
    if (machine.cards.size() > 1)
        throw InvalidArgument(fmt::format(
            "--replay: the machine {} has cards of {} models, and only one can be simulated at a time; take the others "
            "out of its file, or give --gpus 0 for the cores alone",
            machine.name, machine.cards.size()));
    if (machine.cores <= machine.card_count())
        throw InvalidArgument(
            fmt::format("--replay: of the {} cores of the machine {} none is left beside those that "
                        "drive its cards; give it more cores than cards",
                        machine.cores, machine.name));
    if (!graph.has_cards)
        throw InvalidArgument(fmt::format(
            "--replay: the machine {} has cards, and no task of {} ran on one, so that nothing says how long it takes "
            "there; give --gpus 0 for the cores alone, or trace a run on cards",
            machine.name, file));
}

}  // namespace

ReplayWorkers replay_workers(const SimulatedMachine& machine) {
    const index_t cards = machine.card_count();
    return {machine.cores - cards, cards};
}

void expect_replayable(const RecordedGraph& graph, const SimulatedMachine& machine, const std::string& file) {
    if (machine.card_count() > 0) return expect_cards_of_use(graph, machine, file);
    for (const GraphTask& task : graph.tasks)
        if (!task.core_seconds)
            throw InvalidArgument(fmt::format(
                "{}: job {}, {}, ran on a card, and nothing says how long a core takes, which the machine {} has "
                "alone; take machines with cards, such as h200, or trace a run with --gpus 0",
                file, task.job, task.name, machine.name));
}

TimeBounds bounds_of(const RecordedGraph& graph, const SimulatedMachine& machine) {
    TimeBounds bounds;
    std::vector<double> end(graph.tasks.size(), 0);
    std::map<Seconds, double> counts;
    for (std::size_t k = 0; k < graph.tasks.size(); ++k) {
        const GraphTask& task = graph.tasks[k];
        const Seconds seconds = seconds_on(machine, task);
        for (const std::size_t before : task.waits_for) end[k] = std::max(end[k], end[before]);
        end[k] += seconds.least();
        bounds.path = std::max(bounds.path, end[k]);
        ++counts[seconds];
    }
    bounds.work = work_bound(counts, replay_workers(machine));
    return bounds;
}

}  // namespace frond::cli
