// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/counted_factors.hpp"

#include <algorithm>
#include <vector>

#include "frond/base/vector_index.hpp"

namespace frond {

count_t counted_entries(const CountedTree& tree, Factorization kind) {
    count_t lower = 0;
    for (const index_t count : tree.count) lower += count;
    return kind == Factorization::lu ? 2 * lower - static_cast<count_t>(tree.count.size()) : lower;
}

/// A column goes on with the supernode of its only child, where it has that one's rows.
count_t counted_squares(const CountedTree& tree) {
    struct Children {
        index_t number = 0, last = -1;
        count_t squares = 0;
    };
    std::vector<Children> below(tree.count.size());
    std::vector<count_t> order(tree.count.size());  // of the supernode
    count_t most = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const Children& children = below[k];
        const bool goes_on = children.number == 1 && tree.count[at(children.last)] == tree.count[k] + 1;
        order[k] = goes_on ? order[at(children.last)] : tree.count[k];
        const count_t square = order[k] * order[k];
        if (!goes_on) most = std::max(most, square + children.squares);
        if (const index_t parent = tree.tree.parent[k]; parent >= 0) {
            Children& siblings = below[at(parent)];
            ++siblings.number;
            siblings.last = static_cast<index_t>(k);
            siblings.squares += square;
        }
    }
    return most;
}

}  // namespace frond
