// SPDX-License-Identifier: BSD-3-Clause
#include "trace/analyze/bounds.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace frond::cli {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::size_t most_thresholds = 256;

bool begins_in(const TraceTask& task, const TracePhase& phase) {
    return task.begin >= phase.begin && task.begin < phase.end;
}

/// What is known of the kinds of tasks in a phase.
class KindCosts {
public:
    KindCosts(const Trace& trace, const WorkerKinds& workers, const std::vector<int>& tasks)
        : trace_(trace), by_flops_(trace.kinds.size(), true) {
        const std::size_t groups = workers.names.size();
        for (const int t : tasks)
            if (task(t).flops <= 0) by_flops_[kind(t)] = false;
        std::vector<std::vector<double>> seconds(trace.kinds.size(), std::vector<double>(groups, 0.0));
        std::vector<std::vector<double>> amount = seconds;
        for (const int t : tasks) {
            const auto group = static_cast<std::size_t>(workers.of_worker[static_cast<std::size_t>(task(t).worker)]);
            seconds[kind(t)][group] += task(t).seconds();
            amount[kind(t)][group] += amount_of(t);
        }
        problem_.workers.assign(workers.counts.begin(), workers.counts.end());
        problem_.amount.assign(trace.kinds.size(), 0.0);
        problem_.cost.assign(trace.kinds.size(), std::vector<double>(groups, never));
        for (std::size_t k = 0; k < seconds.size(); ++k)
            for (std::size_t g = 0; g < groups; ++g)
                if (amount[k][g] > 0) problem_.cost[k][g] = seconds[k][g] / amount[k][g];
    }

    double amount_of(int t) const { return by_flops_[kind(t)] ? task(t).flops : 1.0; }

    /// As measured where it ran, as its kind elsewhere: the least.
    double least_seconds(int t, int own_group) const {
        double least = task(t).seconds();
        for (std::size_t g = 0; g < problem_.workers.size(); ++g)
            if (static_cast<int>(g) != own_group) least = std::min(least, problem_.cost[kind(t)][g] * amount_of(t));
        return least;
    }

    void add(int t) { problem_.amount[kind(t)] += amount_of(t); }
    double area() const { return area_bound(problem_); }
    void clear() { std::fill(problem_.amount.begin(), problem_.amount.end(), 0.0); }

private:
    const TraceTask& task(int t) const { return trace_.tasks[static_cast<std::size_t>(t)]; }
    std::size_t kind(int t) const { return static_cast<std::size_t>(task(t).kind); }

    const Trace& trace_;
    std::vector<bool> by_flops_;
    AreaProblem problem_;
};

/// max over thresholds t of `path` of t + area(tasks with path >= t).
double bound_with_paths(KindCosts& costs, std::vector<int> tasks, const std::vector<double>& path) {
    const auto length = [&](int t) { return path[static_cast<std::size_t>(t)]; };
    std::sort(tasks.begin(), tasks.end(), [&](int a, int b) { return length(a) > length(b); });
    costs.clear();
    double bound = 0;
    const std::size_t stride = std::max<std::size_t>(1, tasks.size() / most_thresholds);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        costs.add(tasks[i]);
        if (i % stride == 0 || i + 1 == tasks.size()) bound = std::max(bound, length(tasks[i]) + costs.area());
    }
    return bound;
}

}  // namespace

WorkerKinds worker_kinds(const Trace& trace) {
    WorkerKinds kinds;
    for (const TraceWorker& worker : trace.workers) {
        const auto known = std::find(kinds.names.begin(), kinds.names.end(), worker.kind);
        const auto place = static_cast<std::size_t>(known - kinds.names.begin());
        if (known == kinds.names.end()) {
            kinds.names.push_back(worker.kind);
            kinds.counts.push_back(0);
        }
        ++kinds.counts[place];
        kinds.of_worker.push_back(static_cast<int>(place));
    }
    return kinds;
}

std::vector<double> seconds_in(const Trace& trace, const TracePhase& phase) {
    std::vector<double> seconds(static_cast<std::size_t>(trace.graph.nodes()), 0.0);
    for (std::size_t t = 0; t < trace.tasks.size(); ++t)
        if (begins_in(trace.tasks[t], phase)) seconds[t] = trace.tasks[t].seconds();
    return seconds;
}

Bounds bounds_of(const Trace& trace, const std::vector<int>& order, const TracePhase& phase) {
    const WorkerKinds workers = worker_kinds(trace);
    std::vector<int> tasks;
    for (std::size_t t = 0; t < trace.tasks.size(); ++t)
        if (begins_in(trace.tasks[t], phase)) tasks.push_back(static_cast<int>(t));
    KindCosts costs(trace, workers, tasks);
    std::vector<double> least(static_cast<std::size_t>(trace.graph.nodes()), 0.0);
    for (const int t : tasks) {
        const int worker = trace.tasks[static_cast<std::size_t>(t)].worker;
        least[static_cast<std::size_t>(t)] =
            costs.least_seconds(t, workers.of_worker[static_cast<std::size_t>(worker)]);
    }
    const PathLengths paths = path_lengths(trace.graph, order, least);
    Bounds bounds;
    for (const int t : tasks) costs.add(t);
    bounds.area = costs.area();
    for (const int t : tasks) {
        const auto place = static_cast<std::size_t>(t);
        bounds.critical_path = std::max(bounds.critical_path, paths.head[place] + least[place]);
    }
    bounds.both = std::max({bounds.area, bounds.critical_path, bound_with_paths(costs, tasks, paths.tail),
                            bound_with_paths(costs, tasks, paths.head)});
    return bounds;
}

}  // namespace frond::cli
