// SPDX-License-Identifier: BSD-3-Clause
// Mappings that the analysis would not choose: small matrices on tiles, so that tests reach every
// path of the runtime in milliseconds. Needs the include root analysis/placement.
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/front_panels.hpp"
#include "mapping_parts.hpp"

#include <cstdlib>
#include <memory>

namespace frond::test {

/// Which fronts go on tiles: those whose subtree has more than `subtree_columns` columns.
struct ForcedMapping {
    const char* name;
    index_t tile_size = 16;
    index_t subtree_columns = 0;  // 0: every front; the order of the matrix or more: none
};

inline index_t columns_below(const AssemblyTree& tree, index_t f) {
    const auto root = static_cast<std::size_t>(f);
    const auto first = static_cast<std::size_t>(tree.first_descendant[root]);
    return tree.fronts[root].first_column + tree.fronts[root].npiv - tree.fronts[first].first_column;
}

inline void add_subtree(const Analysis& analysis, index_t root, Mapping& mapping) {
    const index_t first = analysis.tree.first_descendant[static_cast<std::size_t>(root)];
    Subtree subtree{first, root, 0, 0, 0};
    for (index_t f = first; f <= root; ++f) {
        const auto at = static_cast<std::size_t>(f);
        const Front& front = analysis.tree.fronts[at];
        subtree.flops += analysis.cost.front_flops[at];
        subtree.factor_scalars += front_panels(front, analysis.factorization).size;
        subtree.stack_scalars += static_cast<count_t>(front.ncb()) * front.ncb();
        mapping.subtree_of_front[at] = static_cast<index_t>(mapping.subtrees.size());
    }
    mapping.subtrees.push_back(subtree);
}

inline void add_grid(const Analysis& analysis, index_t f, index_t tile_size, Mapping& mapping) {
    mapping.grid_of_front[static_cast<std::size_t>(f)] = static_cast<index_t>(mapping.grids.size());
    mapping.grids.push_back(cut_front(analysis.tree, f, tile_size, analysis.pair_with_next));
}

inline std::shared_ptr<const Analysis> remapped(const Analysis& analysis, const ForcedMapping& wanted) {
    const auto result = std::make_shared<Analysis>(analysis);
    const AssemblyTree& tree = result->tree;
    Mapping mapping;
    mapping.workers = analysis.mapping.workers;
    mapping.bottom_level_flops = analysis.mapping.bottom_level_flops;
    mapping.subtree_of_front.assign(tree.fronts.size(), -1);
    mapping.grid_of_front.assign(tree.fronts.size(), -1);
    const auto on_tiles = [&](index_t f) { return columns_below(tree, f) > wanted.subtree_columns; };
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t parent = tree.fronts[static_cast<std::size_t>(f)].parent;
        if (on_tiles(f))
            add_grid(*result, f, wanted.tile_size, mapping);
        else if (parent < 0 || on_tiles(parent))
            add_subtree(*result, f, mapping);
    }
    result->mapping = mapping;
    // With devices: every task that can runs on one. For runs of whole test programs on such a machine.
    if (std::getenv("FROND_TEST_ON_DEVICE") != nullptr) result->options.deterministic = true;
    return result;
}

}  // namespace frond::test
