// SPDX-License-Identifier: BSD-3-Clause
// Traces that tests make by hand.
#pragma once

#include "trace/records.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace frond::test {

using namespace frond::cli;

inline TraceTask small_task(int kind, int worker, double begin, double end, double flops = 0) {
    TraceTask task;
    task.kind = kind;
    task.worker = worker;
    task.begin = begin;
    task.end = end;
    task.flops = flops;
    task.name = "kind" + std::to_string(kind);
    return task;
}

/// before[v]: what node v waits for.
inline TraceGraph small_graph(const std::vector<std::vector<int>>& before) {
    TraceGraph graph;
    for (const std::vector<int>& of_node : before) {
        graph.before.insert(graph.before.end(), of_node.begin(), of_node.end());
        graph.first.push_back(static_cast<std::int64_t>(graph.before.size()));
    }
    return graph;
}

/// Workers of the kinds "A", "B", ..., as many of each as counts says; tasks and arrows are still to come.
inline Trace empty_trace(const std::vector<int>& counts, int kinds) {
    Trace trace;
    for (std::size_t g = 0; g < counts.size(); ++g)
        for (int w = 0; w < counts[g]; ++w)
            trace.workers.push_back({std::string(1, static_cast<char>('A' + g)) + " " + std::to_string(w),
                                     std::string(1, static_cast<char>('A' + g)), 0});
    for (int k = 0; k < kinds; ++k) trace.kinds.push_back({"kind" + std::to_string(k), 0x336699});
    trace.nodes = {"main memory"};
    return trace;
}

/// Arrows from earlier tasks to later ones, each with the chance 1 / one_of.
inline std::vector<std::vector<int>> random_arrows(int nodes, int one_of, std::mt19937& random) {
    std::vector<std::vector<int>> before(static_cast<std::size_t>(nodes));
    for (int v = 0; v < nodes; ++v)
        for (int b = 0; b < v; ++b)
            if (random() % static_cast<unsigned>(one_of) == 0) before[static_cast<std::size_t>(v)].push_back(b);
    return before;
}

}  // namespace frond::test
