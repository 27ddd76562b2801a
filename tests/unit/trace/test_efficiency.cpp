// SPDX-License-Identifier: BSD-3-Clause
// The split of the workers' time against one that looks at every moment, and tables and curves against plain loops.
#include "small_traces.hpp"
#include "trace/analyze/curves.hpp"
#include "trace/analyze/trace_facts.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace frond::cli;
using namespace frond::test;

namespace {

constexpr int horizon = 40;
constexpr double rounding_of_sums = 1e-9;
constexpr double of_eight_bits = 0.01;  // shares are whole 255ths

/// Tasks and states in whole seconds; what a worker does never overlaps.
Trace random_trace(std::mt19937& random) {
    Trace trace = empty_trace({2, 1}, 2);
    trace.workers[2].node = 1;
    trace.nodes.push_back("memory 1");
    for (int w = 0; w < 3; ++w)
        for (int now = static_cast<int>(random() % 4); now < horizon - 6;) {
            const int length = 1 + static_cast<int>(random() % 5);
            const auto what = random() % 4;
            if (what < 2) {
                const int kind = w == 2 ? static_cast<int>(random() % 2) : 0;  // kind 1 runs on the third alone
                TraceTask task = small_task(kind, w, now, now + length, static_cast<double>(random() % 10));
                task.submitted = static_cast<double>(random() % static_cast<unsigned>(now + 1));
                trace.tasks.push_back(task);
            } else if (what == 2) {
                const StateClass state = random() % 2 == 0 ? StateClass::overhead : StateClass::transfer;
                trace.states.push_back({w, state, static_cast<double>(now), static_cast<double>(now + length)});
            }
            now += length;
        }
    std::stable_sort(trace.tasks.begin(), trace.tasks.end(), [](auto& a, auto& b) { return a.begin < b.begin; });
    trace.transfers.push_back({0, 1, 100, 3, 9});
    std::vector<std::vector<int>> before(trace.tasks.size());
    for (std::size_t t = 0; t < before.size(); ++t)
        for (std::size_t b = 0; b < t; ++b)
            if (trace.tasks[b].end <= trace.tasks[t].begin && random() % 6 == 0)
                before[t].push_back(static_cast<int>(b));
    trace.graph = small_graph(before);
    return trace;
}

/// Kernels and useful together, overhead, transfers, graph, scheduler; by what holds in the middle of each second.
std::array<double, 5> moment_by_moment(const Trace& trace, const Readiness& readiness) {
    std::array<double, 5> seconds{};
    const std::array<int, 2> workers{2, 1};
    for (int second = 0; second < horizon; ++second) {
        const double now = second + 0.5;
        const auto holds = [&](double begin, double end) { return begin <= now && now < end; };
        for (int g = 0; g < 2; ++g) {
            int busy = 0, overhead = 0, transfer = 0, ready = 0, unsubmitted = 0;
            for (std::size_t t = 0; t < trace.tasks.size(); ++t) {
                const TraceTask& task = trace.tasks[t];
                busy += (task.worker == 2) == (g == 1) && holds(task.begin, task.end);
                bool runs = false;
                for (const TraceTask& other : trace.tasks)
                    runs = runs || (other.kind == task.kind && (other.worker == 2) == (g == 1));
                ready += runs && holds(readiness.ready[t], task.begin);
                unsubmitted += runs && holds(readiness.free[t], readiness.ready[t]);
            }
            for (const WorkerSpan& span : trace.states) {
                const bool here = (span.worker == 2) == (g == 1) && holds(span.begin, span.end);
                overhead += here && span.state == StateClass::overhead;
                transfer += here && span.state == StateClass::transfer;
            }
            const int copies = g == 1 && holds(3, 9) ? 1 : 0;
            int idle = workers[static_cast<std::size_t>(g)] - busy - overhead - transfer;
            const int beside_ready = std::min(idle, ready), waiting = std::min(beside_ready, copies);
            idle -= beside_ready;
            const int late = std::min(idle, unsubmitted);
            seconds[0] += busy;
            seconds[1] += overhead + late;
            seconds[2] += transfer + waiting;
            seconds[3] += idle - late;
            seconds[4] += beside_ready - waiting;
        }
    }
    return seconds;
}

}  // namespace

TEST_CASE("the shares of the workers' time add to one and are those of each moment") {
    std::mt19937 random(21);
    std::array<int, 5> seen{};
    for (int round = 0; round < 60; ++round) {
        CAPTURE(round);
        const Trace trace = random_trace(random);
        const Readiness ready = readiness(trace, order_of_nodes(trace.graph));
        const EfficiencySplit split = efficiency_of(trace, ready, {"all", 0, horizon});
        const std::array<double, 5> expected = moment_by_moment(trace, ready);
        const std::array<double, 5> found{split.useful + split.kernels, split.overhead, split.transfers, split.graph,
                                          split.scheduler};
        double sum = 0;
        for (std::size_t i = 0; i < 5; ++i) {
            CAPTURE(i);
            CHECK(found[i] * 3 * horizon == doctest::Approx(expected[i]).epsilon(rounding_of_sums));
            sum += found[i];
            seen[i] += expected[i] > 0;
        }
        CHECK(sum == doctest::Approx(1).epsilon(rounding_of_sums));
    }
    for (const int rounds : seen) CHECK(rounds > 10);
}

TEST_CASE("useful is the work at the best rate of the kind of worker") {
    Trace trace = empty_trace({1, 1}, 1);
    trace.tasks = {small_task(0, 0, 0, 1, 10), small_task(0, 0, 1, 3, 10), small_task(0, 1, 0, 4, 400)};
    trace.graph = small_graph({{}, {}, {}});
    const EfficiencySplit split = efficiency_of(trace, readiness(trace, order_of_nodes(trace.graph)), {"all", 0, 4});
    CHECK(split.useful == doctest::Approx((1 + 1 + 4) / 8.0));
    CHECK(split.kernels == doctest::Approx(1 / 8.0));
    CHECK(split.graph == doctest::Approx(1 / 8.0));
}

TEST_CASE("the best rate is one that a hundredth of the operations reaches") {
    const TraceTask outlier = small_task(0, 0, 0, 1e-6, 1), usual = small_task(0, 0, 0, 2, 1000);
    CHECK(best_rate({&outlier, &usual}) == 500);
    CHECK(best_rate({&usual, &outlier, &usual}) == 500);
    CHECK(best_rate({}) == 0);
}

TEST_CASE("the table of kinds has their counts, seconds and the error of a mean by footprint") {
    Trace trace = empty_trace({1}, 2);
    trace.tasks = {small_task(0, 0, 0, 1, 4), small_task(0, 0, 1, 4, 8), small_task(1, 0, 4, 5),
                   small_task(0, 0, 9, 19)};  // the last one is in another phase
    trace.tasks[1].footprint = trace.tasks[0].footprint = 5;
    const std::vector<KindRow> table = kind_table(trace, {"first", 0, 8});
    REQUIRE(table.size() == 2);
    CHECK(table[0].kind == 0);
    CHECK(table[0].count == 2);
    CHECK(table[0].seconds == 4);
    CHECK(table[0].share == 0.8);
    CHECK(table[0].flops_per_second() == 3);
    CHECK(table[0].model_error.value() == doctest::Approx(2 / 4.0));  // 1 and 3 about their mean 2
    CHECK_FALSE(table[1].model_error.has_value());
}

TEST_CASE("the model's error is of tasks with a footprint that comes twice on their kind of worker") {
    Trace trace = empty_trace({1, 1}, 1);
    // Footprint 1 takes 1, 2 and 6 on A, and 9 on B; footprint 2 takes 50 on A, once.
    for (const auto& [worker, seconds, footprint] :
         {std::tuple{0, 1, 1}, {0, 2, 1}, {0, 6, 1}, {1, 9, 1}, {0, 50, 2}}) {
        TraceTask task = small_task(0, worker, static_cast<double>(trace.tasks.size()), 0);
        task.end = task.begin + seconds;
        task.footprint = static_cast<std::uint64_t>(footprint);
        trace.tasks.push_back(task);
    }
    const std::vector<KindRow> table = kind_table(trace, {"all", 0, 100});
    REQUIRE(table.size() == 2);
    CHECK(table[0].seconds == 59);
    CHECK(table[0].model_error.value() == doctest::Approx((2 + 1 + 3) / 9.0));
    CHECK(table[1].seconds == 9);
    CHECK_FALSE(table[1].model_error.has_value());
    trace.tasks[4].footprint = 1;
    trace.tasks[4].end = trace.tasks[4].begin + 3;  // 1, 2, 6 and 3: the mean stays 3
    CHECK(kind_table(trace, {"all", 0, 100})[0].model_error.value() == doctest::Approx((2 + 1 + 3 + 0) / 12.0));
}

TEST_CASE("curves keep the integral, and levels of detail the time of the tasks") {
    std::mt19937 random(4);
    Trace trace = empty_trace({2}, 2);
    double now = 0;
    for (int t = 0; t < 5000; ++t) {
        const double length = static_cast<double>(1 + random() % 100) / 1000;
        trace.tasks.push_back(small_task(t % 2, t % 2, now, now + length));
        now += length;
    }
    double seconds = 0;
    for (const TraceTask& task : trace.tasks) seconds += task.seconds();
    const auto running = running_curves(trace, {0, now, 700});
    double area = 0;
    for (const auto& kind : running[0])
        for (const double mean : kind) area += mean * now / 700;
    CHECK(area == doctest::Approx(seconds).epsilon(rounding_of_sums));
    const std::vector<DensityLevel> levels = density_levels(trace, now, false);
    REQUIRE(levels.size() == 1);
    REQUIRE(levels[0].parts == 1024);
    double busy = 0;
    for (std::size_t i = 0; i < levels[0].busy.size(); ++i) {
        busy += levels[0].busy[i] / 255.0 * now / 1024;
        if (levels[0].busy[i] > 0) CHECK(levels[0].kind[i] == i / 1024);  // worker w has tasks of kind w alone
    }
    CHECK(busy == doctest::Approx(seconds).epsilon(of_eight_bits));
}

TEST_CASE("the curve of memory has the most of each part, and holds between samples") {
    Trace trace = empty_trace({1}, 1);
    trace.memory = {{0, 1.2, 100}, {0, 1.4, 700}, {0, 1.6, 50}, {0, 3.5, 10}};
    const std::vector<double> curve = memory_curves(trace, {0, 5, 5})[0];
    CHECK(curve == std::vector<double>{0, 700, 50, 50, 10});
    trace.transfers = {{0, 0, 600, 1, 3}};
    CHECK(link_curves(trace, {0, 5, 5}).at({0, 0}) == std::vector<double>{0, 300, 300, 0, 0});
}
