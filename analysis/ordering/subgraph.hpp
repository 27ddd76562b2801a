// SPDX-License-Identifier: BSD-3-Clause
// Parts of a graph, and orders of it that are made of orders of parts.
#pragma once

#include "frond/analysis/steps.hpp"
#include "frond/base/types.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <algorithm>
#include <cstddef>
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

/// Nested dissection stops at parts of this many vertices, so a smaller component is not worth it.
inline constexpr index_t smallest_dissected_component = 200;

/// Orders every connected component by itself: large ones by `dissect(graph, weight)`, the small
/// ones together by AMD, before the others.
template <class Dissect>
std::vector<index_t> order_by_component(const Pattern& graph, const std::vector<index_t>& weight,
                                        const Dissect& dissect) {
    const Components components = connected_components(graph);
    if (components.count() == 1 && graph.cols >= smallest_dissected_component) return dissect(graph, weight);

    std::vector<index_t> order;
    order.reserve(static_cast<std::size_t>(graph.cols));
    std::vector<index_t> local(static_cast<std::size_t>(graph.cols), -1);
    const auto append = [&](std::vector<index_t> vertices, const auto& method) {
        if (vertices.empty()) return;
        const Subgraph part = induced_subgraph(graph, std::move(vertices), local);
        std::vector<index_t> part_weight(part.vertex.size());
        for (std::size_t k = 0; k < part.vertex.size(); ++k) part_weight[k] = weight[part.vertex[k]];
        for (const index_t k : method(part.graph, part_weight)) order.push_back(part.vertex[k]);
    };

    std::vector<index_t> small;
    for (index_t c = 0; c < components.count(); ++c) {
        const auto first = components.vertex.begin() + components.begin[c];
        const auto last = components.vertex.begin() + components.begin[c + 1];
        if (last - first < smallest_dissected_component) small.insert(small.end(), first, last);
    }
    append(std::move(small), approximate_minimum_degree);
    for (index_t c = 0; c < components.count(); ++c) {
        const auto first = components.vertex.begin() + components.begin[c];
        const auto last = components.vertex.begin() + components.begin[c + 1];
        if (last - first >= smallest_dissected_component) append(std::vector<index_t>(first, last), dissect);
    }
    return order;
}

/// Order of the members from an order of their groups: the members of a group follow each other.
inline std::vector<index_t> expand_order(const std::vector<index_t>& group_order,
                                         const std::vector<count_t>& member_begin, const std::vector<index_t>& member) {
    std::vector<index_t> order;
    order.reserve(member.size());
    for (const index_t g : group_order)
        order.insert(order.end(), member.begin() + member_begin[g], member.begin() + member_begin[g + 1]);
    return order;
}

/// 0, 1, .., n-1.
inline std::vector<index_t> natural_order(index_t n) {
    std::vector<index_t> order(static_cast<std::size_t>(n));
    for (index_t v = 0; v < n; ++v) order[v] = v;
    return order;
}

}  // namespace frond
