// SPDX-License-Identifier: BSD-3-Clause
#include "forest.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"

#include <string>
#include <utility>

namespace frond {

std::vector<index_t> inverse_permutation(const std::vector<index_t>& order) {
    const index_t n = static_cast<index_t>(order.size());
    std::vector<index_t> position(order.size(), -1);
    for (index_t k = 0; k < n; ++k) {
        const index_t v = order[k];
        FROND_EXPECTS(v >= 0 && v < n && position[v] < 0, "order[" + std::to_string(k) + "] = " + std::to_string(v) +
                                                              " is repeated or outside 0 .. " + std::to_string(n - 1) +
                                                              "; give each vertex once");
        position[v] = k;
    }
    return position;
}

// Row k of L is found by climbing from each i < k with a_ki != 0 to the root of its current tree,
// which becomes a child of k. ancestor[] holds short cuts: every node passed points to k afterwards
// (Liu 1990, section 5.2, "path compression"), O(nnz log n) at worst and near-linear in practice.
std::vector<index_t> elimination_tree(const Pattern& graph, const std::vector<index_t>& order,
                                      const std::vector<index_t>& position) {
    const index_t n = static_cast<index_t>(order.size());
    std::vector<index_t> parent(order.size(), -1);
    std::vector<index_t> ancestor(order.size(), -1);
    for (index_t k = 0; k < n; ++k) {
        const index_t v = order[k];
        for (count_t e = graph.begin[v]; e < graph.begin[v + 1]; ++e) {
            index_t i = position[graph.row[e]];
            while (i < k) {
                const index_t next = std::exchange(ancestor[i], k);
                if (next < 0) {
                    parent[i] = k;
                    break;
                }
                i = next;
            }
        }
    }
    return parent;
}

std::vector<index_t> elimination_tree(const Pattern& graph, const std::vector<index_t>& order) {
    FROND_EXPECTS(graph.cols == static_cast<index_t>(order.size()), "the graph has " + std::to_string(graph.cols) +
                                                                        " vertices, the order " +
                                                                        std::to_string(order.size()));
    return elimination_tree(graph, order, inverse_permutation(order));
}

}  // namespace frond
