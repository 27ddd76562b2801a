// SPDX-License-Identifier: BSD-3-Clause
#include "trace/analyze/task_order.hpp"

#include "frond/base/error.hpp"

#include <algorithm>
#include <span>

namespace frond::cli {
namespace {

std::size_t place_of(int node) { return static_cast<std::size_t>(node); }

std::span<const int> before(const TraceGraph& graph, int node) {
    const auto begin = static_cast<std::size_t>(graph.first[place_of(node)]);
    const auto end = static_cast<std::size_t>(graph.first[place_of(node) + 1]);
    return std::span(graph.before).subspan(begin, end - begin);
}

/// The arrows of the graph, from their other end.
TraceGraph reversed(const TraceGraph& graph) {
    const int nodes = graph.nodes();
    TraceGraph after;
    after.first.assign(place_of(nodes) + 1, 0);
    for (const int b : graph.before) ++after.first[place_of(b) + 1];
    for (int v = 0; v < nodes; ++v) after.first[place_of(v) + 1] += after.first[place_of(v)];
    after.before.resize(graph.before.size());
    std::vector<std::int64_t> next(after.first.begin(), after.first.end() - 1);
    for (int v = 0; v < nodes; ++v)
        for (const int b : before(graph, v)) after.before[static_cast<std::size_t>(next[place_of(b)]++)] = v;
    return after;
}

}  // namespace

std::vector<int> order_of_nodes(const TraceGraph& graph) {
    const int nodes = graph.nodes();
    for (const int b : graph.before)
        if (b < 0 || b >= nodes) throw InvalidArgument("the graph of the trace has an arrow from no task; trace again");
    const TraceGraph after = reversed(graph);
    std::vector<std::int64_t> waits(place_of(nodes));
    std::vector<int> order;
    order.reserve(place_of(nodes));
    for (int v = 0; v < nodes; ++v) {
        waits[place_of(v)] = graph.first[place_of(v) + 1] - graph.first[place_of(v)];
        if (waits[place_of(v)] == 0) order.push_back(v);
    }
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const int next : before(after, order[i]))
            if (--waits[place_of(next)] == 0) order.push_back(next);
    if (order.size() != place_of(nodes))
        throw InvalidArgument("tasks of the trace wait for each other in a circle; trace again");
    return order;
}

Readiness readiness(const Trace& trace, const std::vector<int>& order) {
    const std::size_t tasks = trace.tasks.size();
    std::vector<double> ended(place_of(trace.graph.nodes()), 0.0);
    Readiness all{std::vector<double>(tasks), std::vector<double>(tasks)};
    for (const int v : order) {
        double free = 0;
        for (const int b : before(trace.graph, v)) free = std::max(free, ended[place_of(b)]);
        ended[place_of(v)] = free;
        if (place_of(v) >= tasks) continue;
        const TraceTask& task = trace.tasks[place_of(v)];
        ended[place_of(v)] = task.end;
        all.free[place_of(v)] = std::min(free, task.begin);
        all.ready[place_of(v)] = std::min(std::max(free, task.submitted), task.begin);
    }
    return all;
}

PathLengths path_lengths(const TraceGraph& graph, const std::vector<int>& order, const std::vector<double>& seconds) {
    const std::size_t nodes = place_of(graph.nodes());
    PathLengths lengths{std::vector<double>(nodes, 0.0), std::vector<double>(nodes, 0.0)};
    for (const int v : order)
        for (const int b : before(graph, v))
            lengths.head[place_of(v)] =
                std::max(lengths.head[place_of(v)], lengths.head[place_of(b)] + seconds[place_of(b)]);
    for (std::size_t i = order.size(); i-- > 0;) {
        const double behind = lengths.tail[place_of(order[i])] + seconds[place_of(order[i])];
        for (const int b : before(graph, order[i]))
            lengths.tail[place_of(b)] = std::max(lengths.tail[place_of(b)], behind);
    }
    return lengths;
}

std::vector<int> longest_path(const TraceGraph& graph, const std::vector<int>& order,
                              const std::vector<double>& seconds) {
    std::vector<int> path;
    if (order.empty()) return path;
    const std::vector<double> head = path_lengths(graph, order, seconds).head;
    const auto end_of = [&](int v) { return head[place_of(v)] + seconds[place_of(v)]; };
    int node = *std::max_element(order.begin(), order.end(), [&](int a, int b) { return end_of(a) < end_of(b); });
    while (node >= 0) {
        if (seconds[place_of(node)] > 0) path.push_back(node);
        int longest = -1;
        for (const int b : before(graph, node))
            if (longest < 0 || end_of(b) > end_of(longest)) longest = b;
        node = longest;
    }
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace frond::cli
