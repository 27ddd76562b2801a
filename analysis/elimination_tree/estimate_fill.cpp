// SPDX-License-Identifier: BSD-3-Clause
#include "forest.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"

#include <string>

namespace frond {

// A group of w vertices whose first column has c entries is a dense front of order c of which w
// columns are eliminated: w c - w (w - 1) / 2 entries of L.
FillEstimate estimate_fill(const Pattern& graph, const std::vector<index_t>& weight,
                           const std::vector<index_t>& order, Factorization kind) {
    FROND_EXPECTS(graph.cols == static_cast<index_t>(order.size()) &&
                      (weight.empty() || weight.size() == order.size()),
                  "graph, weight and order have " + std::to_string(graph.cols) + ", " +
                      std::to_string(weight.size()) + " and " + std::to_string(order.size()) +
                      " vertices");
    const PostorderedTree tree = postordered_tree(graph, order);
    const std::vector<index_t> count = weighted_column_counts(graph, weight, tree);
    FillEstimate estimate;
    count_t vertices = 0;
    for (std::size_t k = 0; k < count.size(); ++k) {
        const count_t w = weight.empty() ? 1 : weight[tree.order[k]];
        const count_t c = count[k];
        estimate.flops += front_flops(w, c, kind);
        estimate.factor_entries += w * c - w * (w - 1) / 2;
        vertices += w;
    }
    if (kind == Factorization::lu) estimate.factor_entries = 2 * estimate.factor_entries - vertices;
    return estimate;
}

} // namespace frond
