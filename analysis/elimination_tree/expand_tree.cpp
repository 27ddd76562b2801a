// SPDX-License-Identifier: BSD-3-Clause
#include "forest.hpp"

#include <cstddef>

namespace frond {

// Members of a group are neighbours of each other and have the same neighbours otherwise, so the
// column of each is that of the one before it without its own row, and the least row below the last
// of them is the first member of the group's parent.
CountedTree expand_tree(const CountedTree& groups, const std::vector<count_t>& member_begin,
                        const std::vector<index_t>& member) {
    const PostorderedTree& tree = groups.tree;
    std::vector<index_t> first(tree.order.size());  // position of the group's first member
    index_t place = 0;
    for (std::size_t k = 0; k < first.size(); ++k) {
        const index_t g = tree.order[k];
        first[k] = place;
        place += static_cast<index_t>(member_begin[g + 1] - member_begin[g]);
    }
    CountedTree result;
    result.tree.order.resize(member.size());
    result.tree.position.resize(member.size());
    result.tree.parent.resize(member.size());
    result.count.resize(member.size());
    for (std::size_t k = 0; k < first.size(); ++k) {
        const index_t g = tree.order[k];
        index_t at = first[k];
        index_t count = groups.count[k];
        for (count_t m = member_begin[g]; m < member_begin[g + 1]; ++m, ++at) {
            result.tree.order[at] = member[m];
            result.tree.position[member[m]] = at;
            result.tree.parent[at] = at + 1;
            result.count[at] = count--;
        }
        result.tree.parent[at - 1] = tree.parent[k] < 0 ? -1 : first[tree.parent[k]];
    }
    return result;
}

}  // namespace frond
