// SPDX-License-Identifier: BSD-3-Clause
#include "forest.hpp"

#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace frond {

// Each node is placed directly: the subtree of j, of size[j] nodes, takes the positions that end
// where its parent says. Children descending, so that each takes the end of what is left and they
// stand in ascending order; no stack, so that a chain of a million nodes is nothing special.
std::vector<index_t> postorder(const std::vector<index_t>& parent) {
    const index_t n = static_cast<index_t>(parent.size());
    std::vector<index_t> size(parent.size(), 1);
    for (index_t j = 0; j < n; ++j) {
        const index_t p = parent[j];
        FROND_EXPECTS(p < 0 || (p > j && p < n),
                      "parent[" + std::to_string(j) + "] = " + std::to_string(p) + " must follow its child");
        if (p >= 0) size[p] += size[j];
    }
    std::vector<index_t> free_end(parent.size());  // end of what the subtree of j has not given away
    std::vector<index_t> post(parent.size());
    index_t forest_end = n;
    for (index_t j = n - 1; j >= 0; --j) {
        index_t& end = parent[j] >= 0 ? free_end[parent[j]] : forest_end;
        post[end - 1] = j;
        free_end[j] = end - 1;
        end -= size[j];
    }
    return post;
}

bool is_postordered(const std::vector<index_t>& parent) {
    const index_t n = static_cast<index_t>(parent.size());
    std::vector<index_t> size(parent.size(), 1);
    for (index_t j = 0; j < n; ++j) {
        const index_t p = parent[j];
        if (p < 0) continue;
        if (p <= j) return false;
        size[p] += size[j];
    }
    // Contiguous subtrees: walking down from p, children end at p - 1, then before each other.
    std::vector<index_t> free_end(parent.size());
    index_t forest_end = n;
    for (index_t j = n - 1; j >= 0; --j) {
        index_t& end = parent[j] >= 0 ? free_end[parent[j]] : forest_end;
        if (end != j + 1) return false;
        free_end[j] = j;
        end -= size[j];
    }
    return true;
}

PostorderedTree postordered_tree(const Pattern& graph, const std::vector<index_t>& order) {
    std::vector<index_t> position = inverse_permutation(order);
    std::vector<index_t> parent = elimination_tree(graph, order, position);
    return postordered_tree(order, std::move(position), std::move(parent));
}

PostorderedTree postordered_tree(const std::vector<index_t>& order, std::vector<index_t> position,
                                 std::vector<index_t> parent) {
    PostorderedTree tree{order, std::move(position), std::move(parent)};
    if (is_postordered(tree.parent)) return tree;

    const std::vector<index_t> post = postorder(tree.parent);
    const std::vector<index_t> rank = inverse_permutation(post);
    const index_t n = static_cast<index_t>(order.size());
    std::vector<index_t> renumbered(order.size());
    for (index_t k = 0; k < n; ++k) {
        const index_t old = post[k];
        const index_t v = order[old];
        tree.order[k] = v;
        tree.position[v] = k;
        renumbered[k] = tree.parent[old] < 0 ? -1 : rank[tree.parent[old]];
    }
    tree.parent = std::move(renumbered);
    return tree;
}

std::vector<SubtreeRange> disjoint_subtrees(const std::vector<index_t>& first_descendant,
                                            const std::vector<count_t>& work_before, count_t most_work) {
    std::vector<SubtreeRange> ranges;
    for (auto j = static_cast<index_t>(first_descendant.size()) - 1; j >= 0;) {
        const index_t first = first_descendant[j];
        if (work_before[j + 1] - work_before[first] > most_work) {
            --j;
            continue;
        }
        ranges.push_back({first, j});
        j = first - 1;
    }
    std::reverse(ranges.begin(), ranges.end());
    return ranges;
}

std::vector<index_t> chunks_of_subtrees(const std::vector<SubtreeRange>& ranges,
                                        const std::vector<count_t>& work_before, count_t least_work) {
    std::vector<index_t> begin = {0};
    count_t work = 0;
    for (std::size_t r = 0; r < ranges.size(); ++r) {
        work += work_before[ranges[r].root + 1] - work_before[ranges[r].first];
        if (work < least_work && r + 1 < ranges.size()) continue;
        begin.push_back(static_cast<index_t>(r) + 1);
        work = 0;
    }
    return begin;
}

}  // namespace frond
