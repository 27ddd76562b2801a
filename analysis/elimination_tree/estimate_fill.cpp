// SPDX-License-Identifier: BSD-3-Clause
#include "forest.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"

#include <algorithm>
#include <string>

namespace frond {

CountedTree counted_tree(const Pattern& graph, const std::vector<index_t>& weight, const std::vector<index_t>& order,
                         index_t threads) {
    FROND_EXPECTS(graph.cols == static_cast<index_t>(order.size()) && (weight.empty() || weight.size() == order.size()),
                  "graph, weight and order have " + std::to_string(graph.cols) + ", " + std::to_string(weight.size()) +
                      " and " + std::to_string(order.size()) + " vertices");
    CountedTree result;
    result.tree = postordered_tree(graph, order);
    result.count = weighted_column_counts(graph, weight, result.tree, threads);
    return result;
}

// A group of w vertices whose first column has c entries is a dense front of order c of which w
// columns are eliminated: w c - w (w - 1) / 2 entries of L.
FillEstimate fill_of(const CountedTree& elimination, const std::vector<index_t>& weight, Factorization kind) {
    const PostorderedTree& tree = elimination.tree;
    FillEstimate estimate;
    count_t vertices = 0;
    std::vector<count_t> path(tree.parent.size(), 0);  // columns below k on the longest way up
    for (std::size_t k = 0; k < tree.parent.size(); ++k) {
        const count_t w = weight.empty() ? 1 : weight[tree.order[k]];
        const count_t c = elimination.count[k];
        estimate.flops += front_flops(w, c, kind);
        estimate.factor_entries += w * c - w * (w - 1) / 2;
        vertices += w;
        const count_t with_own = path[k] + w;
        estimate.pivot_path = std::max(estimate.pivot_path, with_own);
        if (tree.parent[k] < 0) continue;
        count_t& above = path[tree.parent[k]];
        above = std::max(above, with_own);
    }
    if (kind == Factorization::lu) estimate.factor_entries = 2 * estimate.factor_entries - vertices;
    return estimate;
}

FillEstimate estimate_fill(const Pattern& graph, const std::vector<index_t>& weight, const std::vector<index_t>& order,
                           Factorization kind) {
    return fill_of(counted_tree(graph, weight, order), weight, kind);
}

}  // namespace frond
