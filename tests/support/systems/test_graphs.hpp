// SPDX-License-Identifier: BSD-3-Clause
// Small graphs (both triangles, no diagonal, sorted rows) for the tests of the analysis.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frond/matrix/sparse_matrix.hpp"
#include "random_sparse.hpp"

namespace frond::test {

using Edges = std::vector<std::pair<index_t, index_t>>;

/// Loops and repeated edges are ignored.
inline Pattern graph_of(index_t n, const Edges& edges) {
    std::vector<std::set<index_t>> neighbours(static_cast<std::size_t>(n));
    for (const auto& [i, j] : edges)
        if (i != j) {
            neighbours[i].insert(j);
            neighbours[j].insert(i);
        }
    Pattern graph;
    graph.rows = graph.cols = n;
    graph.begin.assign(1, 0);
    for (const auto& set : neighbours) {
        graph.row.insert(graph.row.end(), set.begin(), set.end());
        graph.begin.push_back(static_cast<count_t>(graph.row.size()));
    }
    return graph;
}

inline Pattern random_graph(index_t n, count_t edges, std::uint64_t seed) {
    Random random(seed);
    Edges list;
    for (count_t e = 0; e < edges; ++e) list.emplace_back(random.below(n), random.below(n));
    return graph_of(n, list);
}

/// Nodes x + nx (y + ny z) with `dofs` vertices each; neighbours along the axes, or all 26 around.
inline Pattern grid_graph(index_t nx, index_t ny, index_t nz, index_t dofs = 1, bool full = false) {
    Edges list;
    const auto node = [&](index_t x, index_t y, index_t z) { return x + nx * (y + ny * z); };
    for (index_t a = 0; a < nx * ny * nz; ++a)
        for (index_t o = 0; o < 27; ++o) {
            const index_t dx = o % 3 - 1, dy = o / 3 % 3 - 1, dz = o / 9 - 1;
            if (!full && std::abs(dx) + std::abs(dy) + std::abs(dz) > 1) continue;
            const index_t x = a % nx + dx, y = a / nx % ny + dy, z = a / nx / ny + dz;
            if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) continue;
            for (index_t d = 0; d < dofs * dofs; ++d)
                list.emplace_back(dofs * a + d % dofs, dofs * node(x, y, z) + d / dofs);
        }
    return graph_of(nx * ny * nz * dofs, list);
}

inline Pattern path_graph(index_t n) { return grid_graph(n, 1, 1); }

inline Pattern complete_graph(index_t n) {
    Edges list;
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < i; ++j) list.emplace_back(i, j);
    return graph_of(n, list);
}

inline Pattern star_graph(index_t n) {
    Edges list;
    for (index_t i = 1; i < n; ++i) list.emplace_back(0, i);
    return graph_of(n, list);
}

/// The graphs one after the other, not connected.
inline Pattern side_by_side(const std::vector<Pattern>& parts) {
    Edges list;
    index_t n = 0;
    for (const Pattern& part : parts) {
        for (index_t j = 0; j < part.cols; ++j)
            for (count_t p = part.begin[j]; p < part.begin[j + 1]; ++p) list.emplace_back(n + part.row[p], n + j);
        n += part.cols;
    }
    return graph_of(n, list);
}

struct NamedGraph {
    std::string name;
    Pattern graph;
};

/// The shapes on which ordering codes are known to stumble, and a few ordinary ones.
inline std::vector<NamedGraph> assorted_graphs() {
    std::vector<NamedGraph> list = {
        {"empty", graph_of(0, {})},
        {"single", graph_of(1, {})},
        {"two, no edge", graph_of(2, {})},
        {"edgeless 700", graph_of(700, {})},
        {"one edge in 400", graph_of(400, {{17, 311}})},
        {"complete 300", complete_graph(300)},
        {"star 5", star_graph(5)},
        {"star 1000", star_graph(1000)},
        {"path 2", path_graph(2)},
        {"path 1500", path_graph(1500)},
        {"grid 37 x 23", grid_graph(37, 23, 1)},
        {"grid 11^3", grid_graph(11, 11, 11)},
        {"27-point 7^3 x 3", grid_graph(7, 7, 7, 3, true)},
        {"two grids and dust",
         side_by_side({grid_graph(20, 20, 1), graph_of(50, {}), grid_graph(8, 8, 8), path_graph(3)})},
        {"300 paths of 4", side_by_side(std::vector<Pattern>(300, path_graph(4)))},
    };
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const auto n = static_cast<index_t>(60 * seed * seed);
        list.push_back(
            {"random " + std::to_string(seed), random_graph(n, n * static_cast<count_t>(1 + seed % 4), seed)});
    }
    return list;
}

inline bool is_permutation_of(const std::vector<index_t>& order, index_t n) {
    std::vector<index_t> sorted(order);
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 0; k < sorted.size(); ++k)
        if (sorted[k] != static_cast<index_t>(k)) return false;
    return sorted.size() == static_cast<std::size_t>(n);
}

}  // namespace frond::test
