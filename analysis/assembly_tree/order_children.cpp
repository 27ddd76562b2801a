// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/front_panels.hpp"
#include "tree_parts.hpp"

#include <algorithm>
#include <utility>

namespace frond {

namespace {

/// result[k] = node visited k-th when children follow each other as listed: each subtree takes the
/// next size[] positions of its parent's range, and its root the last of them.
std::vector<index_t> listed_postorder(const std::vector<index_t>& parent, const ChildLists& lists,
                                      const std::vector<index_t>& roots) {
    const index_t n = static_cast<index_t>(parent.size());
    std::vector<index_t> size(parent.size(), 1);
    for (index_t s = 0; s < n; ++s) {
        if (parent[s] >= 0) size[parent[s]] += size[s];
    }
    std::vector<index_t> end(parent.size());
    std::vector<index_t> post(parent.size());
    index_t cursor = 0;
    for (index_t r : roots) end[r] = cursor += size[r];
    for (index_t s = n - 1; s >= 0; --s) {
        post[end[s] - 1] = s;
        cursor = end[s] - size[s];
        for (count_t c = lists.begin[s]; c < lists.begin[s + 1]; ++c) {
            end[lists.child[c]] = cursor += size[lists.child[c]];
        }
    }
    return post;
}

}  // namespace

// Children by descending peak - left: what a child needs beyond what it leaves behind is cheapest
// while little has piled up (Liu 1986, theorem 3.2). The roots are children of nothing and obey the
// same rule, since their factors pile up, too.
std::vector<index_t> least_peak_postorder(const SupernodeTree& nodes, Factorization kind) {
    ChildLists lists = child_lists(nodes.parent);
    std::vector<SubtreeMemory> memory(nodes.npiv.size());
    const auto contribution = [&](index_t s) {
        const count_t ncb = nodes.nfront[s] - nodes.npiv[s];
        return ncb * ncb;
    };
    const auto before = [&](index_t a, index_t b) {
        return std::pair(memory[b].peak - memory[b].left, a) < std::pair(memory[a].peak - memory[a].left, b);
    };
    std::vector<index_t> roots;
    for (index_t s = 0; s < nodes.nodes(); ++s) {
        const auto first = lists.child.begin() + lists.begin[s];
        const auto last = lists.child.begin() + lists.begin[s + 1];
        std::sort(first, last, before);
        SubtreeMemorySum sum;
        for (auto c = first; c != last; ++c) sum.add_child(memory[*c], contribution(*c));
        const count_t panels = front_panels({0, nodes.npiv[s], nodes.nfront[s], -1, 0}, kind).size;
        memory[s] = sum.finish(panels, contribution(s));
        if (nodes.parent[s] < 0) roots.push_back(s);
    }
    std::sort(roots.begin(), roots.end(), before);
    return listed_postorder(nodes.parent, lists, roots);
}

}  // namespace frond
