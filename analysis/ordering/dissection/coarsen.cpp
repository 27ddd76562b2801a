// SPDX-License-Identifier: BSD-3-Clause
#include "dissection_graph.hpp"

#include <algorithm>
#include <cstddef>

namespace frond::dissection {
namespace {

/// Vertices by ascending degree (capped), so that few stay alone.
std::vector<index_t> visiting_order(const Graph& graph, Random* shuffle) {
    const index_t n = graph.size();
    std::vector<index_t> vertices(static_cast<std::size_t>(n));
    for (index_t v = 0; v < n; ++v) {
        const index_t k = shuffle != nullptr ? shuffle->below(v + 1) : v;
        vertices[v] = vertices[k];
        vertices[k] = v;
    }
    const count_t mean_degree = static_cast<count_t>(graph.row.size()) / n;
    const count_t cap = std::max<count_t>(1, 7 * mean_degree / 10);
    std::vector<index_t> place(static_cast<std::size_t>(cap) + 2, 0);
    for (index_t v = 0; v < n; ++v) ++place[std::min(graph.degree(v), cap) + 1];
    for (std::size_t d = 0; d <= static_cast<std::size_t>(cap); ++d) place[d + 1] += place[d];
    std::vector<index_t> order(static_cast<std::size_t>(n));
    for (const index_t v : vertices) order[place[std::min(graph.degree(v), cap)]++] = v;
    return order;
}

/// The unmatched neighbour along the heaviest edge, v itself when there is none.
index_t best_neighbour(const Graph& graph, index_t v, const std::vector<index_t>& mate, count_t heaviest) {
    index_t best = v;
    index_t best_weight = 0;
    for (count_t p = graph.begin[v]; p < graph.begin[v + 1]; ++p) {
        const index_t u = graph.row[p];
        const index_t w = graph.edge_weight.empty() ? 1 : graph.edge_weight[p];
        if (w > best_weight && mate[u] < 0 && count_t{graph.weight[u]} + graph.weight[v] <= heaviest) {
            best = u;
            best_weight = w;
        }
    }
    return best;
}

/// Vertices left alone around one neighbour (a star's leaves) are matched with each other.
void match_two_hops(const Graph& graph, std::vector<index_t>& mate, count_t heaviest) {
    std::vector<index_t> waiting(mate.size(), -1);
    for (index_t v = 0; v < graph.size(); ++v) {
        if (mate[v] != v || graph.degree(v) == 0) continue;
        const index_t hub = graph.row[graph.begin[v]];
        const index_t other = waiting[hub];
        if (other < 0 || count_t{graph.weight[other]} + graph.weight[v] > heaviest) {
            waiting[hub] = v;
        } else {
            mate[v] = other;
            mate[other] = v;
            waiting[hub] = -1;
        }
    }
}

std::vector<index_t> match(const Graph& graph, count_t heaviest, Random* shuffle) {
    std::vector<index_t> mate(static_cast<std::size_t>(graph.size()), -1);
    index_t alone = 0;
    for (const index_t v : visiting_order(graph, shuffle)) {
        if (mate[v] >= 0) continue;
        const index_t u = best_neighbour(graph, v, mate, heaviest);
        mate[v] = u;
        mate[u] = v;
        if (u == v) ++alone;
    }
    if (alone > graph.size() / 10) match_two_hops(graph, mate, heaviest);
    return mate;
}

/// Adds the neighbours of fine vertex v to the coarse vertex whose entries start at `first`.
/// place[c]: the position of coarse neighbour c in row, below `first` when not yet there.
void add_neighbours(const Graph& fine, index_t v, index_t self, const std::vector<index_t>& coarse_of, count_t first,
                    count_t& end, std::vector<count_t>& place, Graph& coarse) {
    for (count_t p = fine.begin[v]; p < fine.begin[v + 1]; ++p) {
        const index_t c = coarse_of[fine.row[p]];
        if (c == self) continue;
        const index_t w = fine.edge_weight.empty() ? 1 : fine.edge_weight[p];
        if (place[c] < first) {
            place[c] = end;
            coarse.row[end] = c;
            coarse.edge_weight[end++] = w;
        } else {
            coarse.edge_weight[place[c]] += w;
        }
    }
}

}  // namespace

Coarsening coarsen(const Graph& fine, count_t heaviest, Random* shuffle) {
    const std::vector<index_t> mate = match(fine, heaviest, shuffle);
    Coarsening result;
    result.coarse_of.resize(mate.size());
    index_t size = 0;
    for (index_t v = 0; v < fine.size(); ++v)
        if (v <= mate[v]) result.coarse_of[v] = result.coarse_of[mate[v]] = size++;

    Graph& coarse = result.graph;
    coarse.total_weight = fine.total_weight;
    coarse.begin.resize(static_cast<std::size_t>(size) + 1);
    coarse.weight.resize(static_cast<std::size_t>(size));
    coarse.row.resize(fine.row.size());
    coarse.edge_weight.resize(fine.row.size());
    std::vector<count_t> place(static_cast<std::size_t>(size), -1);
    count_t end = 0;
    for (index_t v = 0; v < fine.size(); ++v) {
        const index_t u = mate[v];
        if (u < v) continue;
        const index_t c = result.coarse_of[v];
        const count_t first = coarse.begin[c];
        coarse.weight[c] = fine.weight[v] + (u == v ? 0 : fine.weight[u]);
        add_neighbours(fine, v, c, result.coarse_of, first, end, place, coarse);
        if (u != v) add_neighbours(fine, u, c, result.coarse_of, first, end, place, coarse);
        coarse.begin[c + 1] = end;
    }
    coarse.row.resize(static_cast<std::size_t>(end));
    coarse.edge_weight.resize(static_cast<std::size_t>(end));
    return result;
}

}  // namespace frond::dissection
