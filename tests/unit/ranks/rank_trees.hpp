// SPDX-License-Identifier: BSD-3-Clause
// Trees of grids dealt to ranks, also with grids of ranks and tiles far smaller than a run would have.
#pragma once

#include "frond/analysis/rank_mapping.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/vector_index.hpp"
#include "random_sparse.hpp"
#include "test_graphs.hpp"

#include <algorithm>
#include <vector>

namespace frond::test {

struct CostedTree {
    AssemblyTree tree;
    CostModel cost;
    Factorization kind = Factorization::llt;

    MessageRule rule() const { return {kind, true, 8}; }
};

inline CostedTree tree_of_grid(index_t k, Factorization kind) {
    std::vector<index_t> order = geometric_nested_dissection({k, k, k}, 1);
    CostedTree t;
    t.kind = kind;
    t.tree = build_assembly_tree(grid_graph(k, k, k), order, {}, kind, {});
    t.cost = predict_costs(t.tree, kind);
    return t;
}

inline RankMachine alike(index_t ranks) {
    RankMachine machine;
    machine.flops_per_second.assign(at(ranks), 1e9);
    return machine;
}

inline RankMapping mapped(const CostedTree& t, const RankMachine& machine) {
    return map_ranks(t.tree, t.cost.front_flops, machine, t.rule());
}

inline TileGrid small_tiles(const Front& front, index_t size) {
    TileGrid tiles;
    tiles.cut.push_back(0);
    for (index_t c = size; c < front.npiv; c += size) tiles.cut.push_back(c);
    if (front.npiv > 0) tiles.cut.push_back(front.npiv);
    tiles.own_tiles = tiles.tiles();
    for (index_t c = front.npiv + size; c < front.nfront; c += size) tiles.cut.push_back(c);
    if (front.ncb() > 0) tiles.cut.push_back(front.nfront);
    return tiles;
}

/// Shared fronts on tables of random ranks of their groups, all fronts that exchange messages in small tiles.
inline void share_much(const AssemblyTree& tree, RankMapping& mapping, std::uint64_t seed) {
    Random random(seed);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        if (mapping.tiles[at(f)].tiles() == 0) continue;
        mapping.tiles[at(f)] = small_tiles(tree.fronts[at(f)], 3 + random.below(6));
        if (!mapping.is_shared(f)) continue;
        const RankInterval group = mapping.group[at(f)];
        const index_t rows = 1 + random.below(group.count), cols = 1 + random.below(group.count / rows);
        RankGrid& grid = mapping.grid[at(f)];
        grid = {rows, cols, {}};
        for (index_t k = 0; k < rows * cols; ++k) grid.rank.push_back(group.first + random.below(group.count));
    }
}

}  // namespace frond::test
