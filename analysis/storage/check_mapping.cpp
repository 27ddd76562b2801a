// SPDX-License-Identifier: BSD-3-Clause
#include "check_analysis.hpp"

namespace frond::detail {
namespace {

/// A whole subtree, or whole trees that follow each other; numbered in its fronts.
bool is_subtree(const Analysis& analysis, index_t number) {
    const AssemblyTree& tree = analysis.tree;
    const Subtree& subtree = analysis.mapping.subtrees[number];
    const index_t first = subtree.first_front, root = subtree.root_front;
    if (first < 0 || root < first || root >= tree.front_count()) return false;
    const bool bundle = tree.fronts[root].parent < 0;
    if (!bundle && tree.first_descendant[root] != first) return false;
    for (index_t f = first; f <= root; ++f) {
        const index_t parent = tree.fronts[f].parent;
        const bool inside = parent >= 0 && parent <= root;
        if (analysis.mapping.subtree_of_front[f] != number || tree.first_descendant[f] < first ||
            (f < root && !inside && !(bundle && parent < 0)))
            return false;
    }
    return true;
}

/// Cuts ascend from 0 over npiv to nfront.
bool is_grid_of(const TileGrid& grid, const Front& front) {
    const auto& cut = grid.cut;
    if (cut.size() < 2 || cut.front() != 0 || cut.back() != front.nfront || grid.own_tiles < 0 ||
        grid.own_tiles > grid.tiles() || cut[grid.own_tiles] != front.npiv)
        return false;
    for (index_t t = 0; t < grid.tiles(); ++t)
        if (cut[t] >= cut[t + 1]) return false;
    return true;
}

}  // namespace

std::string defect_of_mapping(const Analysis& analysis) {
    const Mapping& mapping = analysis.mapping;
    const AssemblyTree& tree = analysis.tree;
    if (mapping.workers < 1) return "a mapping for no workers";
    if (mapping.subtree_of_front.size() != tree.fronts.size() || mapping.grid_of_front.size() != tree.fronts.size())
        return "a mapping of other fronts";
    index_t covered = 0, grids = 0;
    for (std::size_t s = 0; s < mapping.subtrees.size(); ++s) {
        const Subtree& subtree = mapping.subtrees[s];
        if (!is_subtree(analysis, static_cast<index_t>(s)) || subtree.first_front < covered)
            return "a subtree that is none";
        covered = subtree.root_front + 1;
    }
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t s = mapping.subtree_of_front[f], g = mapping.grid_of_front[f];
        const index_t parent = tree.fronts[f].parent;
        if (s >= 0) {  // each subtree has numbered its own fronts: no other may bear its number
            if (g != -1 || s >= static_cast<index_t>(mapping.subtrees.size()) || f < mapping.subtrees[s].first_front ||
                f > mapping.subtrees[s].root_front)
                return "a front in a subtree and on tiles, or in two subtrees";
            continue;
        }
        if (s != -1 || g != grids || g >= static_cast<index_t>(mapping.grids.size()) ||
            !is_grid_of(mapping.grids[g], tree.fronts[f]))
            return "cuts into tiles that do not fit their front";
        if (parent >= 0 && mapping.subtree_of_front[parent] >= 0) return "a front on tiles below a subtree";
        ++grids;
    }
    return grids == static_cast<index_t>(mapping.grids.size()) ? "" : "cuts of no front";
}

}  // namespace frond::detail
