// SPDX-License-Identifier: BSD-3-Clause
#include "forest.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"

#include <string>

namespace frond {

namespace {

/// Root of the set of j among the nodes merged so far, with path halving.
index_t find_root(std::vector<index_t>& above, index_t j) {
    while (above[j] != j) {
        above[j] = above[above[j]];
        j = above[j];
    }
    return j;
}

/// first[j]: the subtree of j is first[j] .. j (postordered tree).
std::vector<index_t> first_descendants(const std::vector<index_t>& parent) {
    const index_t n = static_cast<index_t>(parent.size());
    std::vector<index_t> first(parent.size());
    for (index_t j = 0; j < n; ++j) first[j] = j;
    for (index_t j = 0; j < n; ++j) {
        const index_t p = parent[j];
        if (p >= 0 && first[j] < first[p]) first[p] = first[j];
    }
    return first;
}

} // namespace

// Column j of L has row i exactly when j lies in the row subtree of i, whose leaves are the
// neighbours j < i of i with no other neighbour of i below them (the skeleton of A). So
//     count(j) = sum over the subtree of j of delta, where each row i adds
//     +1 at its leaves, -1 at the least common ancestor of successive leaves, -1 at parent(i)
// (Gilbert, Ng & Peyton 1994, section 4, figure 3). Leaves are met in ascending order; j is one
// when the last leaf of i lies before first(j), and the common ancestor of that leaf and j is the
// root of the leaf's set when every finished node has been merged into its parent.
//
// delta is unsigned and may wrap: single steps can leave 32 bits, the sums never do.
std::vector<index_t> weighted_column_counts(const Pattern& graph,
                                            const std::vector<index_t>& weight,
                                            const PostorderedTree& tree) {
    const std::vector<index_t>& parent = tree.parent;
    const index_t n = static_cast<index_t>(parent.size());
    const std::vector<index_t> first = first_descendants(parent);
    const auto weight_of = [&](index_t v) {
        return weight.empty() ? 1u : static_cast<std::uint32_t>(weight[v]);
    };
    std::vector<std::uint32_t> delta(parent.size());
    std::vector<index_t> above(parent.size());
    std::vector<index_t> last_leaf(parent.size(), -1);
    for (index_t j = 0; j < n; ++j) {
        above[j] = j;
        delta[j] = first[j] == j ? weight_of(tree.order[j]) : 0;
    }
    for (index_t j = 0; j < n; ++j) {
        const index_t v = tree.order[j];
        for (count_t e = graph.begin[v]; e < graph.begin[v + 1]; ++e) {
            const index_t u = graph.row[e];
            const index_t i = tree.position[u];
            const bool leaf = static_cast<bool>((i > j) & (last_leaf[i] < first[j])); // one branch
            if (!leaf) continue;
            delta[j] += weight_of(u);
            if (last_leaf[i] >= 0) delta[find_root(above, last_leaf[i])] -= weight_of(u);
            last_leaf[i] = j;
        }
        if (parent[j] >= 0) {
            delta[parent[j]] -= weight_of(v);
            above[j] = parent[j];
        }
    }
    std::vector<index_t> count(parent.size());
    for (index_t j = 0; j < n; ++j) {
        if (parent[j] >= 0) delta[parent[j]] += delta[j];
        count[j] = static_cast<index_t>(delta[j]);
    }
    return count;
}

std::vector<index_t> column_counts(const Pattern& graph, const std::vector<index_t>& order,
                                   const std::vector<index_t>& parent) {
    FROND_EXPECTS(graph.cols == static_cast<index_t>(order.size()) && order.size() == parent.size(),
                  "graph, order and tree have " + std::to_string(graph.cols) + ", " +
                      std::to_string(order.size()) + " and " + std::to_string(parent.size()) +
                      " vertices");
    FROND_EXPECTS(is_postordered(parent),
                  "the tree is not postordered; renumber it by postorder()");
    return weighted_column_counts(graph, {}, {order, inverse_permutation(order), parent});
}

} // namespace frond
