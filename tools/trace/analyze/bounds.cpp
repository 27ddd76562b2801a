// SPDX-License-Identifier: BSD-3-Clause
#include "trace/analyze/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace frond::cli {
namespace {

/// sum_i amount_i min_g price_g cost_ig
double value_of_prices(const AreaProblem& problem, const std::vector<double>& price) {
    double value = 0;
    for (std::size_t i = 0; i < problem.amount.size(); ++i) {
        double least = -1;
        for (std::size_t g = 0; g < price.size(); ++g) {
            if (!std::isfinite(problem.cost[i][g])) continue;
            const double here = price[g] * problem.cost[i][g];
            if (least < 0 || here < least) least = here;
        }
        if (least > 0) value += problem.amount[i] * least;
    }
    return value;
}

/// The best value where the prices before `g` are set and workers g, g + 1, ... share what is left of 1. The value is
/// concave in each price: ternary search.
double best_prices(const AreaProblem& problem, std::vector<double>& price, std::size_t g, double left) {
    if (g + 1 == price.size()) {
        price[g] = left / problem.workers[g];
        return value_of_prices(problem, price);
    }
    const int steps = price.size() <= 3 ? 90 : 36;
    const auto value_at = [&](double share) {
        price[g] = share / problem.workers[g];
        return best_prices(problem, price, g + 1, left - share);
    };
    double low = 0, high = left, best = std::max(value_at(0), value_at(left));
    for (int step = 0; step < steps; ++step) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        const double at_a = value_at(a), at_b = value_at(b);
        best = std::max({best, at_a, at_b});
        (at_a < at_b ? low : high) = at_a < at_b ? a : b;
    }
    return best;
}

}  // namespace

double area_bound(const AreaProblem& problem) {
    if (problem.workers.empty()) return 0;
    std::vector<double> price(problem.workers.size(), 0.0);
    return best_prices(problem, price, 0, 1.0);
}

namespace {

constexpr std::size_t most_thresholds = 256;

bool begins_in(const TraceTask& task, const TracePhase& phase) {
    return task.begin >= phase.begin && task.begin < phase.end;
}

/// What is known of the kinds of tasks in a phase.
class KindCosts {
public:
    KindCosts(const Trace& trace, const WorkerKinds& workers, const std::vector<int>& tasks)
        : trace_(trace), workers_(workers), by_flops_(trace.kinds.size(), true) {
        const std::size_t groups = workers.names.size();
        for (const int t : tasks)
            if (task(t).flops <= 0) by_flops_[kind(t)] = false;
        std::vector<std::vector<double>> seconds(trace.kinds.size(), std::vector<double>(groups, 0.0));
        std::vector<std::vector<double>> amount = seconds;
        for (const int t : tasks) {
            seconds[kind(t)][group(t)] += task(t).seconds();
            amount[kind(t)][group(t)] += by_flops_[kind(t)] ? task(t).flops : 1.0;
        }
        problem_.workers.assign(workers.counts.begin(), workers.counts.end());
        problem_.amount.assign(trace.kinds.size(), 0.0);
        problem_.cost.assign(trace.kinds.size(), std::vector<double>(groups, std::numeric_limits<double>::infinity()));
        for (std::size_t k = 0; k < seconds.size(); ++k)
            for (std::size_t g = 0; g < groups; ++g)
                if (amount[k][g] > 0) problem_.cost[k][g] = seconds[k][g] / amount[k][g];
    }

    /// So much that the task's time where it ran is the measured one.
    double amount_of(int t) const {
        const double cost = problem_.cost[kind(t)][group(t)];
        return cost > 0 ? task(t).seconds() / cost : 0.0;
    }

    /// The least seconds over all kinds of workers that can run it.
    double least_seconds(int t) const {
        double least = task(t).seconds();
        for (std::size_t g = 0; g < problem_.workers.size(); ++g)
            if (g != group(t)) least = std::min(least, problem_.cost[kind(t)][g] * amount_of(t));
        return least;
    }

    void add(int t) { problem_.amount[kind(t)] += amount_of(t); }
    double area() const { return area_bound(problem_); }
    void clear() { std::fill(problem_.amount.begin(), problem_.amount.end(), 0.0); }

private:
    const TraceTask& task(int t) const { return trace_.tasks[static_cast<std::size_t>(t)]; }
    std::size_t kind(int t) const { return static_cast<std::size_t>(task(t).kind); }
    std::size_t group(int t) const {
        return static_cast<std::size_t>(workers_.of_worker[static_cast<std::size_t>(task(t).worker)]);
    }

    const Trace& trace_;
    const WorkerKinds& workers_;
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
    for (const int t : tasks) least[static_cast<std::size_t>(t)] = costs.least_seconds(t);
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
