// SPDX-License-Identifier: BSD-3-Clause
// Subtrees that ranks have: which fronts they are of.
#pragma once

#include <algorithm>
#include <vector>

#include "frond/analysis/assembly_tree.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {

/// Which rank has the rows below the root of each subtree. Subtrees are those of a Mapping: one task each.
struct SubtreesOfRanks {
    std::vector<Subtree> subtree;
    std::vector<index_t> rank;  // [subtrees]
};

/// The fronts of a subtree whose parents are in it, too.
template <class Visit>
void for_each_below_root(const AssemblyTree& tree, const Subtree& s, const Visit& visit) {
    for (index_t f = s.first_front; f <= s.root_front; ++f)
        if (const index_t parent = tree.fronts[at(f)].parent; parent >= 0 && parent <= s.root_front) visit(f);
}

/// The others: one, or those of several trees.
template <class Visit>
void for_each_root(const AssemblyTree& tree, const Subtree& s, const Visit& visit) {
    for (index_t f = s.first_front; f <= s.root_front; ++f)
        if (const index_t parent = tree.fronts[at(f)].parent; parent < 0 || parent > s.root_front) visit(f);
}

/// -1: on tiles.
inline std::vector<index_t> subtree_of_fronts(const AssemblyTree& tree, const std::vector<Subtree>& subtrees) {
    std::vector<index_t> subtree_of(tree.fronts.size(), -1);
    for (std::size_t s = 0; s < subtrees.size(); ++s)
        std::fill(subtree_of.begin() + subtrees[s].first_front, subtree_of.begin() + subtrees[s].root_front + 1,
                  static_cast<index_t>(s));
    return subtree_of;
}

}  // namespace frond::detail
