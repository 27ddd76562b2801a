// SPDX-License-Identifier: BSD-3-Clause
// Amestoy, Davis & Duff 2004, "Algorithm 837: AMD", through SuiteSparse.
#include "../subgraph.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/error.hpp"

#include <amd.h>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace frond {
namespace {

void throw_amd_failure(int status, index_t n) {
    if (status == AMD_OUT_OF_MEMORY)
        throw OutOfMemory("AMD found no memory to order " + std::to_string(n) +
                          " vertices; free memory or choose the ordering `natural`");
    if (status != AMD_OK && status != AMD_OK_BUT_JUMBLED)
        throw RuntimeError("AMD returned status " + std::to_string(status) + " for " + std::to_string(n) +
                           " vertices; choose another ordering");
}

/// AMD with its own defaults: rows with more than 10 sqrt(n) entries come last.
std::vector<index_t> order_unweighted(const Pattern& graph) {
    const index_t n = graph.cols;
    if (graph.entries() == 0) return natural_order(n);
    std::vector<index_t> order(static_cast<std::size_t>(n));
    if (graph.entries() <= std::numeric_limits<int>::max() / 4) {
        const std::vector<int> begin(graph.begin.begin(), graph.begin.end());
        throw_amd_failure(amd_order(n, begin.data(), graph.row.data(), order.data(), nullptr, nullptr), n);
        return order;
    }
    const std::vector<SuiteSparse_long> begin(graph.begin.begin(), graph.begin.end());
    const std::vector<SuiteSparse_long> row(graph.row.begin(), graph.row.end());
    std::vector<SuiteSparse_long> order_long(order.size());
    const auto status = amd_l_order(n, begin.data(), row.data(), order_long.data(), nullptr, nullptr);
    throw_amd_failure(static_cast<int>(status), n);
    std::copy(order_long.begin(), order_long.end(), order.begin());
    return order;
}

/// Each vertex v replaced by a clique of weight[v] vertices, from first[v] on.
Pattern expanded_graph(const Pattern& graph, const std::vector<index_t>& weight, const std::vector<index_t>& first) {
    Pattern result;
    result.rows = result.cols = first.back();
    result.begin.assign(static_cast<std::size_t>(result.cols) + 1, 0);
    for (index_t v = 0; v < graph.cols; ++v) {
        count_t degree = weight[v] - 1;
        for (count_t p = graph.begin[v]; p < graph.begin[v + 1]; ++p) degree += weight[graph.row[p]];
        for (index_t i = first[v]; i < first[v + 1]; ++i) result.begin[i + 1] = result.begin[i] + degree;
    }
    result.row.resize(static_cast<std::size_t>(result.entries()));
    count_t place = 0;
    for (index_t v = 0; v < graph.cols; ++v)
        for (index_t i = first[v]; i < first[v + 1]; ++i) {
            for (count_t p = graph.begin[v]; p < graph.begin[v + 1]; ++p)
                for (index_t j = first[graph.row[p]]; j < first[graph.row[p] + 1]; ++j) result.row[place++] = j;
            for (index_t j = first[v]; j < first[v + 1]; ++j)
                if (j != i) result.row[place++] = j;
        }
    return result;
}

/// Vertices in the order in which the last of their members is eliminated.
std::vector<index_t> order_of_last_members(const std::vector<index_t>& order, const std::vector<index_t>& weight,
                                           const std::vector<index_t>& first) {
    std::vector<index_t> owner(order.size());
    for (std::size_t v = 0; v < weight.size(); ++v)
        std::fill(owner.begin() + first[v], owner.begin() + first[v + 1], static_cast<index_t>(v));
    std::vector<index_t> left(weight);
    std::vector<index_t> result;
    result.reserve(weight.size());
    for (const index_t i : order)
        if (--left[owner[i]] == 0) result.push_back(owner[i]);
    return result;
}

}  // namespace

std::vector<index_t> approximate_minimum_degree(const Pattern& graph, const std::vector<index_t>& weight) {
    const bool equal = std::all_of(weight.begin(), weight.end(), [&](index_t w) { return w == weight[0]; });
    if (equal) return order_unweighted(graph);
    std::vector<index_t> first(weight.size() + 1, 0);
    for (std::size_t v = 0; v < weight.size(); ++v) first[v + 1] = first[v] + weight[v];
    return order_of_last_members(order_unweighted(expanded_graph(graph, weight, first)), weight, first);
}

}  // namespace frond
