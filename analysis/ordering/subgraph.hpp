// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

#include <vector>

namespace frond {

/// Graph induced by some vertices of another one, numbered in the order given.
struct Subgraph {
    Pattern graph;
    std::vector<index_t> vertex;  // [graph.cols] its vertex in the whole graph
};

/// local: scratch of [whole.cols], all -1 on entry and on exit. Rows stay sorted when `vertices`
/// ascends.
Subgraph induced_subgraph(const Pattern& whole, std::vector<index_t> vertices, std::vector<index_t>& local);

/// component_begin/vertex: the vertices of each connected component, ascending.
struct Components {
    std::vector<index_t> begin;  // [components + 1]
    std::vector<index_t> vertex;  // [n]

    index_t count() const { return static_cast<index_t>(begin.size()) - 1; }
};

Components connected_components(const Pattern& graph);

}  // namespace frond
