// SPDX-License-Identifier: BSD-3-Clause
#include "subgraph.hpp"

#include <cstddef>
#include <utility>

namespace frond {

Subgraph induced_subgraph(const Pattern& whole, std::vector<index_t> vertices,
                          std::vector<index_t>& local) {
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

/// Number of the component of each vertex, in the order of their least vertices.
index_t label_components(const Pattern& graph, std::vector<index_t>& label) {
    std::vector<index_t> queue;
    index_t components = 0;
    for (index_t start = 0; start < graph.cols; ++start) {
        if (label[start] >= 0) continue;
        queue.assign(1, start);
        label[start] = components;
        while (!queue.empty()) {
            const index_t v = queue.back();
            queue.pop_back();
            for (count_t p = graph.begin[v]; p < graph.begin[v + 1]; ++p) {
                const index_t u = graph.row[p];
                if (label[u] >= 0) continue;
                label[u] = components;
                queue.push_back(u);
            }
        }
        ++components;
    }
    return components;
}

} // namespace

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

} // namespace frond
