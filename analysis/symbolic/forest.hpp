// SPDX-License-Identifier: BSD-3-Clause
// Forests of columns: the numbering of trees, leaves of row subtrees, and subtrees that threads work on side by side.
#pragma once

#include "frond/analysis/steps.hpp"
#include "frond/base/types.hpp"

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

/// Root of the set of j among the nodes merged so far, with path halving.
inline index_t find_root(std::vector<index_t>& above, index_t j) {
    while (above[j] != j) {
        above[j] = above[above[j]];
        j = above[j];
    }
    return j;
}

/// first[j]: the subtree of j is first[j] .. j (postordered tree).
inline std::vector<index_t> first_descendants(const std::vector<index_t>& parent) {
    const index_t n = static_cast<index_t>(parent.size());
    std::vector<index_t> first(parent.size());
    for (index_t j = 0; j < n; ++j) first[j] = j;
    for (index_t j = 0; j < n; ++j) {
        const index_t p = parent[j];
        if (p >= 0 && first[j] < first[p]) first[p] = first[j];
    }
    return first;
}

/// Nodes first .. root of a postordered forest: root and all below it.
struct SubtreeRange {
    index_t first;
    index_t root;
};

/// The maximal subtrees of at most `most_work`, ascending, where work_before[j] is that of the
/// nodes before j [nodes + 1]. The nodes of no range are above them. O(nodes).
std::vector<SubtreeRange> disjoint_subtrees(const std::vector<index_t>& first_descendant,
                                            const std::vector<count_t>& work_before, count_t most_work);

/// Consecutive ranges of some work together: chunk c is ranges begin[c] .. begin[c + 1].
std::vector<index_t> chunks_of_subtrees(const std::vector<SubtreeRange>& ranges,
                                        const std::vector<count_t>& work_before, count_t least_work);

}  // namespace frond
