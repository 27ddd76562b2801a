// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/steps.hpp"
#include "subgraph.hpp"

#include <algorithm>
#include <cstddef>

namespace frond {

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

}  // namespace frond
