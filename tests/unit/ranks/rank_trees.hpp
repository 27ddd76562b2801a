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

/// Trees of fronts of order up to some thousand, of indices alone: there is no matrix behind them.
class RandomForest {
public:
    RandomForest(std::uint64_t seed, index_t roots, index_t depth) : random_(seed), depth_(depth) {
        for (index_t r = 0; r < roots; ++r) add(0, 0);
        tree_.order = columns_;
    }

    CostedTree costed(Factorization kind) {
        CostedTree t{tree_, {}, kind};
        t.tree.first_descendant.resize(t.tree.fronts.size());
        t.tree.child_begin.push_back(0);
        for (index_t f = 0; f < t.tree.front_count(); ++f) {
            t.tree.first_descendant[at(f)] = f;
            for (index_t c = 0; c < f; ++c)
                if (t.tree.fronts[at(c)].parent == f) {
                    t.tree.children.push_back(c);
                    t.tree.first_descendant[at(f)] =
                        std::min(t.tree.first_descendant[at(f)], t.tree.first_descendant[at(c)]);
                }
            t.tree.child_begin.push_back(static_cast<count_t>(t.tree.children.size()));
        }
        t.cost = predict_costs(t.tree, kind);
        return t;
    }

private:
    /// A front over one below it of order `above`, of which its contribution rows are one or two intervals.
    index_t add(index_t level, index_t above) {
        const index_t half = above / 2;
        std::vector<index_t> rows;
        for (const index_t begin : {index_t{0}, half}) {
            const index_t first = half > 0 ? random_.below(half) : 0;
            for (index_t r = first; r < std::min(half, first + half / 2 + random_.below(half + 1)); ++r)
                rows.push_back(begin + r);
        }
        Front front;
        front.npiv = 40 + random_.below(900 >> level) + (level == 0 ? 900 : 0);
        front.nfront = front.npiv + static_cast<index_t>(rows.size());
        std::vector<index_t> children;
        for (index_t c = 0; level < depth_ && c < 2 + random_.below(2); ++c)
            children.push_back(add(level + 1, front.nfront));
        front.first_column = columns_;
        columns_ += front.npiv;
        front.rows_begin = static_cast<count_t>(tree_.rows.size());
        tree_.rows.insert(tree_.rows.end(), rows.begin(), rows.end());
        tree_.relative_rows.insert(tree_.relative_rows.end(), rows.begin(), rows.end());
        tree_.fronts.push_back(front);
        const index_t own = tree_.front_count() - 1;
        for (const index_t c : children) tree_.fronts[at(c)].parent = own;
        return own;
    }

    Random random_;
    index_t depth_, columns_ = 0;
    AssemblyTree tree_;
};

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

/// All fronts on tiles but the leaves, which are subtrees.
inline Mapping mapping_on_tiles(const AssemblyTree& tree, index_t tile_size) {
    Mapping mapping;
    mapping.subtree_of_front.assign(tree.fronts.size(), -1);
    mapping.grid_of_front.assign(tree.fronts.size(), -1);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        if (tree.child_begin[at(f)] == tree.child_begin[at(f) + 1]) {
            mapping.subtree_of_front[at(f)] = static_cast<index_t>(mapping.subtrees.size());
            mapping.subtrees.push_back({f, f, 1, 0, 0});
        } else {
            mapping.grid_of_front[at(f)] = static_cast<index_t>(mapping.grids.size());
            mapping.grids.push_back(small_tiles(tree.fronts[at(f)], tile_size));
        }
    }
    return mapping;
}

}  // namespace frond::test
