// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/task_chain.hpp"

#include <algorithm>
#include <vector>

#include "frond/base/contract.hpp"
#include "frond/base/vector_index.hpp"

namespace frond {
namespace {

/// b^3 / 3 + b^2 n + b n^2 for a panel of order b before a tile of order n; L U: 2 b^3 / 3 + b^2 n + 2 b n^2.
double chain_of_front(const TileGrid& grid, Factorization kind) {
    const double triangles = kind == Factorization::lu ? 2 : 1;
    double flops = 0;
    for (index_t t = 0; t < grid.own_tiles; ++t) {
        const double b = grid.size(t), n = t + 1 < grid.tiles() ? grid.size(t + 1) : 0;
        flops += triangles * b * b * b / 3 + b * b * n + triangles * b * n * n;
    }
    return flops;
}

}  // namespace

double task_chain_flops(const AssemblyTree& tree, const Mapping& mapping, Factorization kind) {
    FROND_EXPECTS(mapping.subtree_of_front.size() == tree.fronts.size(), "the mapping is of another tree");
    std::vector<double> below(tree.fronts.size(), 0.0);
    double longest = 0;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t subtree = mapping.subtree_of_front[at(f)], parent = tree.fronts[at(f)].parent;
        if (subtree >= 0 && mapping.subtrees[at(subtree)].root_front != f) continue;
        const double own = subtree >= 0 ? mapping.subtrees[at(subtree)].flops
                                        : chain_of_front(mapping.grids[at(mapping.grid_of_front[at(f)])], kind);
        const double end = below[at(f)] + own;
        longest = std::max(longest, end);
        if (parent >= 0) below[at(parent)] = std::max(below[at(parent)], end);
    }
    return longest;
}

}  // namespace frond
