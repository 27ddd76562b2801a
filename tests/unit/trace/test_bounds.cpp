// SPDX-License-Identifier: BSD-3-Clause
// Bounds of small graphs against all schedules, and the area bound against the primal problem.
#include "small_traces.hpp"
#include "tolerance.hpp"
#include "trace/analyze/bounds.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

using namespace frond::cli;
using namespace frond::test;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
const double rounding = rounding_bound<double>(100);  // sums of a few terms, and divisions
constexpr double of_search = 1e-7;  // of the prices

/// seconds[task][worker]; the least makespan of all schedules: tasks in each order, each on each worker, as early as
/// its predecessors and its worker let it.
double best_makespan(const std::vector<std::vector<double>>& seconds, const std::vector<std::vector<int>>& before) {
    const std::size_t tasks = seconds.size(), workers = seconds[0].size();
    std::vector<double> end(tasks, -1.0), free(workers, 0.0);
    double best = infinite;
    const std::function<void(std::size_t, double)> place = [&](std::size_t placed, double makespan) {
        if (makespan >= best) return;
        if (placed == tasks) {
            best = makespan;
            return;
        }
        for (std::size_t t = 0; t < tasks; ++t) {
            if (end[t] >= 0) continue;
            double ready = 0;
            bool waits = false;
            for (const int b : before[t]) {
                waits = waits || end[static_cast<std::size_t>(b)] < 0;
                ready = std::max(ready, end[static_cast<std::size_t>(b)]);
            }
            for (std::size_t w = 0; w < workers && !waits; ++w) {
                if (!std::isfinite(seconds[t][w])) continue;
                const double was_free = free[w];
                end[t] = free[w] = std::max(ready, was_free) + seconds[t][w];
                place(placed + 1, std::max(makespan, end[t]));
                free[w] = was_free;
                end[t] = -1;
            }
        }
    };
    place(0, 0);
    return best;
}

/// A trace of which each kind of task has run on each kind of worker in the time that `cost` says.
Trace trace_of(const std::vector<int>& counts, const std::vector<std::vector<double>>& cost,
               const std::vector<int>& kind_of_task, const std::vector<std::vector<int>>& before,
               std::vector<int>& ran_on) {
    Trace trace = empty_trace(counts, static_cast<int>(cost.size()));
    trace.graph = small_graph(before);
    for (std::size_t t = 0; t < kind_of_task.size(); ++t) {
        const int kind = kind_of_task[t], worker = ran_on[t];
        const int group = worker < counts[0] ? 0 : 1;
        const double seconds = cost[static_cast<std::size_t>(kind)][static_cast<std::size_t>(group)];
        trace.tasks.push_back(small_task(kind, worker, 0, seconds));
    }
    return trace;
}

}  // namespace

TEST_CASE("no bound of equal workers is above the best schedule, and bounds are reached") {
    std::mt19937 random(7);
    int reached = 0;
    for (int round = 0; round < 150; ++round) {
        CAPTURE(round);
        const int tasks = 3 + static_cast<int>(random() % 4), workers = 1 + static_cast<int>(random() % 3);
        const std::vector<std::vector<int>> before = random_arrows(tasks, 3, random);
        Trace trace = empty_trace({workers}, 2);
        trace.graph = small_graph(before);
        std::vector<std::vector<double>> seconds;
        for (int t = 0; t < tasks; ++t) {
            const double of_task = 1.0 + static_cast<double>(random() % 9);
            trace.tasks.push_back(small_task(t % 2, 0, 0, of_task));
            seconds.emplace_back(static_cast<std::size_t>(workers), of_task);
        }
        const Bounds bounds = bounds_of(trace, order_of_nodes(trace.graph), {"all", 0, 1});
        const double best = best_makespan(seconds, before);
        CHECK(bounds.both <= best * (1 + rounding));
        CHECK(bounds.area <= bounds.both);
        CHECK(bounds.critical_path <= bounds.both);
        reached += bounds.both >= best * (1 - rounding);
        double work = 0;
        for (const TraceTask& task : trace.tasks) work += task.seconds();
        CHECK(bounds.area == doctest::Approx(work / workers).epsilon(rounding));
    }
    CHECK(reached > 60);
}

TEST_CASE("a path before or behind wide work counts with its area") {
    // One task of 5 s, and four of 3 s behind it, on two workers: 5 + 12 / 2.
    Trace trace = empty_trace({2}, 1);
    trace.tasks = {small_task(0, 0, 0, 5)};
    for (int t = 0; t < 4; ++t) trace.tasks.push_back(small_task(0, t % 2, 0, 3));
    trace.graph = small_graph({{}, {0}, {0}, {0}, {0}});
    const Bounds behind = bounds_of(trace, order_of_nodes(trace.graph), {"all", 0, 1});
    CHECK(behind.area == doctest::Approx(8.5));
    CHECK(behind.critical_path == doctest::Approx(8));
    CHECK(behind.both == doctest::Approx(11));
    // The other way round.
    std::swap(trace.tasks[0], trace.tasks[4]);
    trace.graph = small_graph({{}, {}, {}, {}, {0, 1, 2, 3}});
    CHECK(bounds_of(trace, order_of_nodes(trace.graph), {"all", 0, 1}).both == doctest::Approx(11));
}

TEST_CASE("no bound of two kinds of workers is above the best schedule") {
    std::mt19937 random(11);
    for (int round = 0; round < 60; ++round) {
        CAPTURE(round);
        const std::vector<int> counts{1 + static_cast<int>(random() % 2), 1};
        std::vector<std::vector<double>> cost(2);
        for (std::vector<double>& of_kind : cost)
            of_kind = {1.0 + static_cast<double>(random() % 9), 1.0 + static_cast<double>(random() % 9)};
        const int workers = counts[0] + counts[1];
        // Two tasks of each kind, on both kinds of workers.
        std::vector<int> kinds{0, 0, 1, 1}, ran_on{0, workers - 1, 0, workers - 1};
        const std::vector<std::vector<int>> before = random_arrows(4, 3, random);
        const Trace trace = trace_of(counts, cost, kinds, before, ran_on);
        std::vector<std::vector<double>> seconds;
        for (const int kind : kinds) {
            std::vector<double> of_task(static_cast<std::size_t>(counts[0]), cost[static_cast<std::size_t>(kind)][0]);
            of_task.push_back(cost[static_cast<std::size_t>(kind)][1]);
            seconds.push_back(of_task);
        }
        const Bounds bounds = bounds_of(trace, order_of_nodes(trace.graph), {"all", 0, 1});
        CHECK(bounds.both <= best_makespan(seconds, before) * (1 + rounding));
        CHECK(bounds.both >= std::max(bounds.area, bounds.critical_path));
    }
}

TEST_CASE("the area bound of two kinds of workers is that of the best sharing") {
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
        CAPTURE(round);
        AreaProblem problem;
        problem.workers = {1.0 + static_cast<double>(random() % 60), 1.0 + static_cast<double>(random() % 8)};
        const std::size_t kinds = 1 + random() % 5;
        for (std::size_t i = 0; i < kinds; ++i) {
            problem.amount.push_back(static_cast<double>(random() % 100));
            problem.cost.push_back(
                {1.0 + static_cast<double>(random() % 50), 1.0 + static_cast<double>(random() % 50)});
            if (random() % 4 == 0) problem.cost.back()[random() % 2] = infinite;
        }
        // The primal: what gains most on the second kind of worker goes there first.
        std::vector<std::size_t> order(kinds);
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto gain = [&](std::size_t i) { return problem.cost[i][0] / problem.cost[i][1]; };
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return gain(a) > gain(b); });
        double best = infinite;
        for (std::size_t split = 0; split < kinds; ++split) {
            double first = 0, second = 0;
            for (std::size_t i = 0; i < kinds; ++i) {
                const std::size_t k = order[i];
                if (i < split) second += problem.amount[k] * problem.cost[k][1];
                if (i > split) first += problem.amount[k] > 0 ? problem.amount[k] * problem.cost[k][0] : 0;
            }
            const std::size_t k = order[split];
            // x of the kind in between on the second: both end together, as far as 0 <= x <= 1 lets them.
            const double a = problem.amount[k] * problem.cost[k][0] / problem.workers[0];
            const double b = problem.amount[k] * problem.cost[k][1] / problem.workers[1];
            std::vector<double> parts{0, 1};
            if (std::isfinite(a) && std::isfinite(b) && a + b > 0)
                parts.push_back(
                    std::clamp((first / problem.workers[0] + a - second / problem.workers[1]) / (a + b), 0.0, 1.0));
            for (const double x : parts) {
                const double on_first = first / problem.workers[0] + (x < 1 ? (1 - x) * a : 0);
                const double on_second = second / problem.workers[1] + (x > 0 ? x * b : 0);
                if (!std::isnan(on_first) && !std::isnan(on_second))
                    best = std::min(best, std::max(on_first, on_second));
            }
        }
        if (problem.amount == std::vector<double>(kinds, 0.0)) best = 0;
        CHECK(area_bound(problem) == doctest::Approx(best).epsilon(of_search));
    }
}

TEST_CASE("the area bound of three kinds of workers is below every sharing") {
    std::mt19937 random(5);
    const auto part = [&random] { return static_cast<double>(random() % 1000) / 1000; };
    for (int round = 0; round < 20; ++round) {
        AreaProblem problem;
        problem.workers = {4, 2, 1};
        for (int i = 0; i < 3; ++i) {
            problem.amount.push_back(1.0 + part());
            problem.cost.push_back({1.0 + part(), 1.0 + 5 * part(), 1.0 + 9 * part()});
        }
        const double bound = area_bound(problem);
        double best = infinite;
        for (int sharing = 0; sharing < 5000; ++sharing) {
            std::vector<double> load(3, 0.0);
            for (std::size_t i = 0; i < 3; ++i) {
                const double x = part(), y = part() * (1 - x);
                const std::vector<double> shares{x, y, 1 - x - y};
                for (std::size_t g = 0; g < 3; ++g)
                    load[g] += shares[g] * problem.amount[i] * problem.cost[i][g] / problem.workers[g];
            }
            best = std::min(best, *std::max_element(load.begin(), load.end()));
        }
        CHECK(bound <= best * (1 + rounding));
        CHECK(bound >= 0.8 * best);
    }
    const AreaProblem equal{{4, 2, 1}, {7}, {{3, 3, 3}}};
    CHECK(area_bound(equal) == doctest::Approx(3).epsilon(rounding));
}
