// SPDX-License-Identifier: BSD-3-Clause
// Longest paths and readiness in the graph of a trace.
#pragma once

#include "trace/records.hpp"

#include <vector>

namespace frond::cli {

/// The nodes, each behind all that it waits for. O(nodes + arrows).
/// @throws InvalidArgument  the graph has a cycle, or an arrow from no node of it
std::vector<int> order_of_nodes(const TraceGraph& graph);

/// For each task: when all that it waited for had ended, and when it had also been submitted.
struct Readiness {
    std::vector<double> free, ready;
};
Readiness readiness(const Trace& trace, const std::vector<int>& order);

/// For each node: the longest path of `seconds` that ends just before it, and that begins just behind it.
struct PathLengths {
    std::vector<double> head, tail;
};
PathLengths path_lengths(const TraceGraph& graph, const std::vector<int>& order, const std::vector<double>& seconds);

/// A path on which the sum of `seconds` is largest, from its first node to its last; nodes without seconds are left out.
std::vector<int> longest_path(const TraceGraph& graph, const std::vector<int>& order,
                              const std::vector<double>& seconds);

}  // namespace frond::cli
