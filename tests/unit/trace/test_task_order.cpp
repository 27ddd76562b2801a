// SPDX-License-Identifier: BSD-3-Clause
#include "small_traces.hpp"
#include "frond/base/error.hpp"
#include "trace/analyze/task_order.hpp"

#include <doctest/doctest.h>

#include <functional>

using namespace frond::cli;
using namespace frond::test;

TEST_CASE("the longest path of random graphs is the longest of all paths") {
    std::mt19937 random(2);
    for (int round = 0; round < 100; ++round) {
        CAPTURE(round);
        const int nodes = 2 + static_cast<int>(random() % 9);
        const std::vector<std::vector<int>> before = random_arrows(nodes, 2, random);
        std::vector<double> seconds;
        for (int v = 0; v < nodes; ++v) seconds.push_back(static_cast<double>(random() % 5));  // some have none
        double longest = 0;
        const std::function<void(int, double)> walk = [&](int v, double behind) {
            const double here = behind + seconds[static_cast<std::size_t>(v)];
            longest = std::max(longest, here);
            for (const int b : before[static_cast<std::size_t>(v)]) walk(b, here);
        };
        for (int v = 0; v < nodes; ++v) walk(v, 0);
        const TraceGraph graph = small_graph(before);
        const std::vector<int> order = order_of_nodes(graph);
        double sum = 0;
        for (const int v : longest_path(graph, order, seconds)) sum += seconds[static_cast<std::size_t>(v)];
        CHECK(sum == longest);
        const PathLengths paths = path_lengths(graph, order, seconds);
        for (int v = 0; v < nodes; ++v) {
            const auto place = static_cast<std::size_t>(v);
            CHECK(paths.head[place] + seconds[place] + paths.tail[place] <= longest);
        }
    }
}

TEST_CASE("tasks are ready when all before them have ended, through nodes without time, and when submitted") {
    Trace trace = empty_trace({2}, 1);
    trace.tasks = {small_task(0, 0, 0, 2), small_task(0, 1, 0, 3), small_task(0, 0, 5, 6), small_task(0, 1, 7, 8)};
    trace.tasks[3].submitted = 4;
    // Node 4 has no time: task 2 waits for tasks 0 and 1 through it; task 3 for task 0.
    trace.graph = small_graph({{}, {}, {4}, {0}, {0, 1}});
    const Readiness readiness = frond::cli::readiness(trace, order_of_nodes(trace.graph));
    CHECK(readiness.free == std::vector<double>{0, 0, 3, 2});
    CHECK(readiness.ready == std::vector<double>{0, 0, 3, 4});
}

TEST_CASE("a circle in the graph, and arrows from nowhere, are refused") {
    CHECK_THROWS_AS(order_of_nodes(small_graph({{2}, {0}, {1}})), frond::InvalidArgument);
    CHECK_THROWS_AS(order_of_nodes(small_graph({{}, {7}})), frond::InvalidArgument);
}
