// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/steps.hpp"
#include "mapping_parts.hpp"
#include "test_graphs.hpp"
#include "tree_checks.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// Tiles of contribution blocks that go into several tile rows of the parent, although a third of a tile is before the cut there.
index_t badly_cut_tiles(const AssemblyTree& tree, const Mapping& mapping, index_t tile_size) {
    index_t found = 0;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[static_cast<std::size_t>(f)];
        if (mapping.grid_of_front[static_cast<std::size_t>(f)] < 0 || front.parent < 0) continue;
        const auto grid_of = [&](index_t g) -> const TileGrid& {
            return mapping.grids[static_cast<std::size_t>(mapping.grid_of_front[static_cast<std::size_t>(g)])];
        };
        const TileGrid &own = grid_of(f), &above = grid_of(front.parent);
        const auto tile_above = [&](index_t row) {
            const index_t at = tree.relative_rows[static_cast<std::size_t>(front.rows_begin + row - front.npiv)];
            index_t tile = 0;
            while (above.cut[static_cast<std::size_t>(tile) + 1] <= at) ++tile;
            return tile;
        };
        for (index_t t = own.own_tiles; t < own.tiles(); ++t) {
            const index_t begin = own.cut[static_cast<std::size_t>(t)], end = begin + own.size(t);
            const index_t last_rest = end == front.nfront ? tile_size / 4 : 0;
            for (index_t row = begin + tile_size / 3; row < end - last_rest; ++row)
                if (tile_above(row) != tile_above(row - 1)) {
                    ++found;
                    break;
                }
        }
    }
    return found;
}

}  // namespace

TEST_CASE("for several ranks contribution rows are cut where the tiles of the parent are") {
    const Pattern graph = grid_graph(20, 20, 20);
    const std::vector<index_t> order = geometric_nested_dissection({20, 20, 20}, 1);
    for (const Factorization kind : {Factorization::llt, Factorization::lu})
        for (const index_t ranks : {1, 4}) {
            AnalysisOptions options;
            options.workers = 4;
            options.ranks = ranks;
            options.tile_size = 48;
            std::vector<index_t> own_order = order;
            const AssemblyTree tree = build_assembly_tree(graph, own_order, {}, kind, options);
            CostModel cost = predict_costs(tree, kind);
            const Mapping mapping = map_tree(tree, cost, kind, {}, options);
            CHECK(wrong_mapping(tree, mapping, {}) == "");
            CHECK((badly_cut_tiles(tree, mapping, options.tile_size) == 0) == (ranks > 1));
        }
}
