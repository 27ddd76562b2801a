// SPDX-License-Identifier: BSD-3-Clause
// Small things that every step on elimination trees needs. Private to analysis/.
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

#include <cstdint>
#include <vector>

namespace frond {

/// position[order[k]] = k. Throws InvalidArgument when order is no permutation of 0 .. n-1.
std::vector<index_t> inverse_permutation(const std::vector<index_t>& order);

/// parent[k] for vertex order[k], from position = inverse of order.
std::vector<index_t> elimination_tree(const Pattern& graph, const std::vector<index_t>& order,
                                      const std::vector<index_t>& position);

/// parent[k] > k at all k with a parent, and every subtree is a contiguous range.
bool is_postordered(const std::vector<index_t>& parent);

/// order, its inverse and the tree, renumbered so that the tree is postordered.
struct PostorderedTree {
    std::vector<index_t> order;
    std::vector<index_t> position;
    std::vector<index_t> parent;
};

PostorderedTree postordered_tree(const Pattern& graph, const std::vector<index_t>& order);

/// count[k] = sum of weight over the rows of column k of L, its own included; weight empty: all 1.
/// The tree is postordered. weight[v] is that of vertex v, not of position k.
std::vector<index_t> weighted_column_counts(const Pattern& graph,
                                            const std::vector<index_t>& weight,
                                            const PostorderedTree& tree);

} // namespace frond
