// SPDX-License-Identifier: BSD-3-Clause
#include "subgraph.hpp"

#include "ordering_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace frond {

Subgraph induced_subgraph(const Pattern& whole, std::vector<index_t> vertices, std::vector<index_t>& local) {
    Subgraph part;
    part.vertex = std::move(vertices);
    const std::size_t size = part.vertex.size();
    part.graph.rows = part.graph.cols = static_cast<index_t>(size);
    part.graph.begin.assign(size + 1, 0);
    count_t bound = 0;
    for (const index_t v : part.vertex) bound += whole.begin[v + 1] - whole.begin[v];
    part.graph.row.reserve(static_cast<std::size_t>(bound));

    for (std::size_t k = 0; k < size; ++k) local[part.vertex[k]] = static_cast<index_t>(k);
    for (std::size_t k = 0; k < size; ++k) {
        const index_t v = part.vertex[k];
        for (count_t p = whole.begin[v]; p < whole.begin[v + 1]; ++p)
            if (local[whole.row[p]] >= 0) part.graph.row.push_back(local[whole.row[p]]);
        part.graph.begin[k + 1] = static_cast<count_t>(part.graph.row.size());
    }
    for (const index_t v : part.vertex) local[v] = -1;
    return part;
}

namespace {

/// Root of the tree of v, with path halving.
index_t root_of_component(std::vector<index_t>& above, index_t v) {
    while (above[v] != v) {
        above[v] = above[above[v]];
        v = above[v];
    }
    return v;
}

/// Number of the component of each vertex, in the order of their least vertices, which are the
/// roots. Vertices are met in their order, which as a rule runs through memory; a search would not.
index_t label_components(const Pattern& graph, std::vector<index_t>& label) {
    std::vector<index_t> above(label.size());
    for (index_t v = 0; v < graph.cols; ++v) {
        above[v] = v;
        for (count_t p = graph.begin[v]; p < graph.begin[v + 1]; ++p) {
            const index_t u = graph.row[p];
            if (u >= v) continue;
            const index_t a = root_of_component(above, u), b = root_of_component(above, v);
            if (a != b) above[std::max(a, b)] = std::min(a, b);
        }
    }
    index_t components = 0;
    for (index_t v = 0; v < graph.cols; ++v)
        label[v] = above[v] == v ? components++ : label[root_of_component(above, v)];
    return components;
}

}  // namespace

Components connected_components(const Pattern& graph) {
    std::vector<index_t> label(static_cast<std::size_t>(graph.cols), -1);
    const index_t count = label_components(graph, label);
    Components result;
    result.begin.assign(static_cast<std::size_t>(count) + 1, 0);
    for (const index_t c : label) ++result.begin[c + 1];
    for (index_t c = 0; c < count; ++c) result.begin[c + 1] += result.begin[c];
    std::vector<index_t> next(result.begin.begin(), result.begin.end() - 1);
    result.vertex.resize(label.size());
    for (index_t v = 0; v < graph.cols; ++v) result.vertex[next[label[v]]++] = v;
    return result;
}

std::vector<index_t> dense_vertices(const Pattern& graph, const std::vector<index_t>& weight) {
    const count_t n = std::accumulate(weight.begin(), weight.end(), count_t{0});
    const double root = std::sqrt(static_cast<double>(n));
    const auto threshold = static_cast<count_t>(std::max(16.0, 10.0 * root));
    std::vector<count_t> degree(weight.size(), 0);
    std::vector<index_t> dense;
    for (index_t v = 0; v < graph.cols; ++v) {
        for (count_t p = graph.begin[v]; p < graph.begin[v + 1]; ++p) degree[v] += weight[graph.row[p]];
        if (degree[v] > threshold) dense.push_back(v);
    }
    if (static_cast<double>(dense.size()) > root) return {};
    std::stable_sort(dense.begin(), dense.end(), [&](index_t a, index_t b) { return degree[a] < degree[b]; });
    return dense;
}

}  // namespace frond
