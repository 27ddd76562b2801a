// SPDX-License-Identifier: BSD-3-Clause
// Small things that every step on elimination trees needs. Private to analysis/.
#pragma once

#include "frond/analysis/steps.hpp"

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

PostorderedTree postordered_tree(const Pattern& graph, const std::vector<index_t>& order);
/// The postordered tree from the elimination tree of that order; position: inverse of order.
PostorderedTree postordered_tree(const std::vector<index_t>& order, std::vector<index_t> position,
                                 std::vector<index_t> parent);

/// count[k] = sum of weight over the rows of column k of L, its own included; weight empty: all 1.
/// The tree is postordered. weight[v] is that of vertex v, not of position k.
std::vector<index_t> weighted_column_counts(const Pattern& graph, const std::vector<index_t>& weight,
                                            const PostorderedTree& tree, index_t threads = 1);

/// postordered_tree and weighted_column_counts. O(entries).
CountedTree counted_tree(const Pattern& graph, const std::vector<index_t>& weight, const std::vector<index_t>& order,
                         index_t threads = 1);

/// What the columns of groups take, groups weighted as when they were counted.
FillEstimate fill_of(const CountedTree& elimination, const std::vector<index_t>& weight, Factorization kind);

/// The tree of all vertices from that of groups whose members have the same neighbours: a group
/// becomes a chain, and the same comes out as from the vertices themselves. Members of group g:
/// member[member_begin[g] .. member_begin[g + 1]). O(vertices).
CountedTree expand_tree(const CountedTree& groups, const std::vector<count_t>& member_begin,
                        const std::vector<index_t>& member);

}  // namespace frond
