// SPDX-License-Identifier: BSD-3-Clause
// Assembly trees of random shape: what plans read of them, without rows.
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/base/vector_index.hpp"
#include "random_sparse.hpp"

#include <algorithm>
#include <vector>

namespace frond::test {

/// Parents in postorder: each front takes some of the roots before it as children. one_root: the last takes all.
inline std::vector<index_t> random_parents(index_t fronts, bool one_root, Random& random) {
    std::vector<index_t> parent(at(fronts), -1), roots;
    for (index_t f = 0; f < fronts; ++f) {
        const auto there = static_cast<index_t>(roots.size());
        const bool takes_all = one_root && f + 1 == fronts;
        for (index_t taken = takes_all ? there : std::min(random.below(4), there); taken > 0; --taken) {
            parent[at(roots.back())] = f;
            roots.pop_back();
        }
        roots.push_back(f);
    }
    return parent;
}

inline void add_children(AssemblyTree& tree) {
    const index_t n = tree.front_count();
    tree.first_descendant.resize(at(n));
    tree.child_begin.assign(at(n) + 1, 0);
    for (index_t f = 0; f < n; ++f) tree.first_descendant[at(f)] = f;
    for (index_t f = 0; f < n; ++f) {
        const index_t parent = tree.fronts[at(f)].parent;
        if (parent < 0) continue;
        tree.first_descendant[at(parent)] = std::min(tree.first_descendant[at(parent)], tree.first_descendant[at(f)]);
        ++tree.child_begin[at(parent) + 1];
    }
    for (index_t f = 0; f < n; ++f) tree.child_begin[at(f) + 1] += tree.child_begin[at(f)];
    tree.children.resize(at(tree.child_begin.back()));
    std::vector<count_t> next(tree.child_begin);
    for (index_t f = 0; f < n; ++f)
        if (tree.fronts[at(f)].parent >= 0) tree.children[at(next[at(tree.fronts[at(f)].parent)]++)] = f;
}

/// Fronts of order 1 to some 60, some without contribution rows though they have a parent.
inline AssemblyTree random_tree(index_t fronts, bool one_root, std::uint64_t seed) {
    Random random(seed);
    const std::vector<index_t> parent = random_parents(fronts, one_root, random);
    AssemblyTree tree;
    tree.fronts.resize(at(fronts));
    std::vector<index_t> least_order(at(fronts), 0);  // rows of children
    for (index_t f = 0; f < fronts; ++f) {
        Front& front = tree.fronts[at(f)];
        front.parent = parent[at(f)];
        const index_t rest = front.parent < 0 || random.below(8) == 0 ? 0 : random.below(40);
        front.first_column = tree.order;
        front.nfront = std::max(1 + random.below(20) + rest, least_order[at(f)]);
        front.npiv = front.nfront - rest;
        tree.order += front.npiv;
        if (front.parent >= 0) least_order[at(front.parent)] = std::max(least_order[at(front.parent)], rest);
    }
    add_children(tree);
    return tree;
}

/// What plans read of it: a tree without tiles.
inline Analysis analysis_of(const AssemblyTree& tree) {
    Analysis analysis;
    analysis.order = tree.order;
    analysis.factorization = Factorization::lu;
    analysis.tree = tree;
    analysis.mapping.grid_of_front.assign(tree.fronts.size(), -1);
    return analysis;
}

inline std::vector<double> random_flops(index_t fronts, std::uint64_t seed) {
    Random random(seed);
    std::vector<double> flops(at(fronts));
    for (double& x : flops) x = 1 + random.below(1000);
    return flops;
}

}  // namespace frond::test
