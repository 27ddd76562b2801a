// SPDX-License-Identifier: BSD-3-Clause
#include "ordering_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace frond {

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
