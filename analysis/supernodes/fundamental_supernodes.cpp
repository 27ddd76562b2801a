// SPDX-License-Identifier: BSD-3-Clause
#include "supernodes.hpp"

namespace frond {

ChildLists child_lists(const std::vector<index_t>& parent) {
    const index_t n = static_cast<index_t>(parent.size());
    ChildLists lists;
    lists.begin.assign(parent.size() + 1, 0);
    for (index_t p : parent) {
        if (p >= 0) ++lists.begin[p + 1];
    }
    for (index_t s = 0; s < n; ++s) lists.begin[s + 1] += lists.begin[s];
    lists.child.resize(static_cast<std::size_t>(lists.begin[n]));
    std::vector<count_t> next(lists.begin.begin(), lists.begin.end() - 1);
    for (index_t s = 0; s < n; ++s) {
        if (parent[s] >= 0) lists.child[next[parent[s]]++] = s;
    }
    return lists;
}

namespace {

/// joins[k] = 1: column k belongs to the node of column k - 1.
std::vector<std::uint8_t> joined_columns(const std::vector<index_t>& parent, const std::vector<index_t>& count,
                                         const std::vector<std::uint8_t>& pair_with_next) {
    const index_t n = static_cast<index_t>(parent.size());
    std::vector<std::uint8_t> many_children(parent.size(), 0);
    for (index_t k = 0; k + 1 < n; ++k) {
        if (parent[k] >= 0 && parent[k] != k + 1) many_children[parent[k]] = 1;
    }
    std::vector<std::uint8_t> joins(parent.size(), 0);
    for (index_t k = 1; k < n; ++k) {
        const bool pair = !pair_with_next.empty() && pair_with_next[k - 1];
        joins[k] = pair || (parent[k - 1] == k && count[k - 1] == count[k] + 1 && !many_children[k]);
    }
    return joins;
}

}  // namespace

// Any child of k but k - 1 makes k a branch: in a postorder the last child of k is k - 1.
SupernodeTree fundamental_supernodes(const PostorderedTree& tree, std::vector<index_t> count,
                                     const std::vector<std::uint8_t>& pair_with_next) {
    const index_t n = static_cast<index_t>(tree.parent.size());
    for (index_t k = 0; k + 1 < n; ++k) {
        if (!pair_with_next.empty() && pair_with_next[k]) count[k] = count[k + 1] + 1;
    }
    const std::vector<std::uint8_t> joins = joined_columns(tree.parent, count, pair_with_next);
    SupernodeTree nodes;
    nodes.node_of_column.resize(tree.parent.size());
    for (index_t k = 0; k < n; ++k) {
        if (!joins[k]) {
            nodes.npiv.push_back(0);
            nodes.nfront.push_back(count[k]);
        }
        ++nodes.npiv.back();
        nodes.node_of_column[k] = nodes.nodes() - 1;
    }
    nodes.parent.assign(nodes.npiv.size(), -1);
    for (index_t k = 0; k < n; ++k) {
        const index_t s = nodes.node_of_column[k];
        const index_t p = tree.parent[k];
        if (p >= 0 && nodes.node_of_column[p] != s) nodes.parent[s] = nodes.node_of_column[p];
    }
    return nodes;
}

}  // namespace frond
