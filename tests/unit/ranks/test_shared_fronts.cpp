// SPDX-License-Identifier: BSD-3-Clause
// Fronts on the tiles of an analysis that several ranks share: blocks travel in whole tiles, each to every rank that
// assembles a part of it, once.
#include "rank_trees.hpp"

#include "frond/base/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace frond;
using namespace frond::test;

namespace {

RankMapping owners_in_turn(const AssemblyTree& tree, const Mapping& mapping, index_t ranks) {
    std::vector<index_t> owner;
    for (index_t f = 0; f < tree.front_count(); ++f) owner.push_back(f % ranks);
    return mapping_of_owners(tree, mapping, owner, ranks);
}

/// Number, column and destination of the tiles of a child.
using Travels = std::map<std::pair<index_t, index_t>, std::set<index_t>>;

/// Where each entry of the child's block must be, entry by entry.
Travels wanted(const CostedTree& t, const RankMapping& mapping, index_t child) {
    const Front& front = t.tree.fronts[at(child)];
    const TileGrid &own = mapping.tiles[at(child)], &above = mapping.tiles[at(front.parent)];
    const auto tile_of = [](const TileGrid& tiles, index_t row) {
        index_t k = 0;
        while (tiles.cut[at(k) + 1] <= row) ++k;
        return k;
    };
    Travels travels;
    for (index_t i = 0; i < front.ncb(); ++i)
        for (index_t j = 0; j < (t.kind == Factorization::lu ? front.ncb() : i + 1); ++j) {
            const index_t row = tile_of(own, front.npiv + i), column = tile_of(own, front.npiv + j);
            const index_t* relative = t.tree.relative_rows.data() + front.rows_begin;
            const index_t to =
                mapping.grid[at(front.parent)].owner(tile_of(above, relative[i]), tile_of(above, relative[j]));
            if (to != mapping.grid[at(child)].owner(row, column)) travels[{row, column}].insert(to);
        }
    return travels;
}

void check_contributions(const CostedTree& t, const RankMapping& mapping, index_t front, const MessageRule& rule) {
    std::map<index_t, Travels> found;
    for_each_message(t.tree, mapping, rule, front, [&](const Message& m) {
        if (m.kind != MessageKind::contribution) return;
        const TileGrid& tiles = mapping.tiles[at(m.row)];
        const index_t row = m.column % tiles.tiles(), column = m.column / tiles.tiles();
        CHECK(m.bytes == count_t{tiles.size(row)} * tiles.size(column) * rule.scalar_bytes);
        CHECK(m.source == mapping.grid[at(m.row)].owner(row, column));
        CHECK(found[m.row][{row, column}].insert(m.destination).second);
    });
    for (count_t c = t.tree.child_begin[at(front)]; c < t.tree.child_begin[at(front) + 1]; ++c)
        CHECK(found[t.tree.children[at(c)]] == wanted(t, mapping, t.tree.children[at(c)]));
}

/// Two children and a root of order 3000.
CostedTree tree_of_two_and_root() {
    CostedTree t;
    t.kind = Factorization::llt;
    t.tree.order = 5000;
    t.tree.fronts = {{0, 1000, 2500, 2, 0}, {1000, 1000, 2500, 2, 1500}, {2000, 3000, 3000, -1, 3000}};
    for (index_t r = 0; r < 3000; ++r) t.tree.rows.push_back(2000 + r), t.tree.relative_rows.push_back(r % 1500 * 2);
    t.tree.first_descendant = {0, 1, 0};
    t.tree.child_begin = {0, 0, 0, 2};
    t.tree.children = {0, 1};
    t.cost = predict_costs(t.tree, t.kind);
    return t;
}

}  // namespace

TEST_CASE("tiles of contribution blocks go once to each rank that assembles a part of them") {
    index_t shared = 0;
    for (const Factorization kind : {Factorization::llt, Factorization::ldlt, Factorization::lu}) {
        const CostedTree t = tree_of_grid(7, kind);
        const MessageRule rule{kind, false, 8};
        for (const index_t tile_size : {3, 8})
            for (const index_t ranks : {2, 3, 5, 8}) {
                CAPTURE(ranks);
                const Mapping mapping = mapping_on_tiles(t.tree, tile_size);
                const RankMapping all = share_all_fronts(t.tree, mapping, owners_in_turn(t.tree, mapping, ranks), rule);
                for (index_t f = 0; f < t.tree.front_count(); ++f) {
                    if (all.is_shared(f)) check_contributions(t, all, f, rule);
                    shared += all.grid[at(f)].rank.size() > 1 ? 1 : 0;
                    CHECK((mapping.grid_of_front[at(f)] >= 0 || all.grid[at(f)].rank.size() == 1));
                }
            }
    }
    CHECK(shared > 20);
}

TEST_CASE("fronts stay whole where they are to be") {
    const CostedTree t = tree_of_two_and_root();
    const Mapping mapping = mapping_on_tiles(t.tree, 250);
    for (const Factorization kind : {Factorization::llt, Factorization::ldlt, Factorization::lu})
        for (const bool share : {true, false}) {
            const RankMapping dealt = map_units(t.tree, mapping, t.cost.front_flops, alike(4), {kind, true, 8}, share);
            const auto shared = std::count_if(dealt.grid.begin(), dealt.grid.end(),
                                              [](const RankGrid& g) { return g.rank.size() > 1; });
            CHECK((shared > 0) == share);
        }
}

TEST_CASE("parts of failed columns are with the ranks of diagonal tiles") {
    const RankGrid grid{2, 3, {0, 1, 2, 3, 4, 5}};
    const TileGrid tiles{{0, 1, 2, 3, 4, 5, 6}, 3};
    using Pairs = std::vector<std::pair<index_t, index_t>>;
    // Tile rows 1 .. 5 of panel 0: owners 3, 0, 3, 0, 3; of diagonal tiles 4, 2, 3, 1, 5.
    CHECK(given_back_pairs(grid, tiles, true, 0) == Pairs{{0, 1}, {0, 2}, {3, 3}, {3, 4}, {3, 5}});
    // And tile columns, of owners 1, 2, 0, 1, 2.
    CHECK(given_back_pairs(grid, tiles, false, 0) ==
          Pairs{{0, 1}, {0, 2}, {0, 3}, {1, 1}, {1, 4}, {2, 2}, {2, 5}, {3, 3}, {3, 4}, {3, 5}});
    CHECK(owners_of_failed_parts(grid, tiles, 3) == std::vector<index_t>{3, 1, 5});
}

TEST_CASE("large fronts are shared, and their tiles balance what ranks do") {
    const CostedTree t = tree_of_two_and_root();
    Mapping mapping = mapping_on_tiles(t.tree, 250);
    const MessageRule rule{t.kind, true, 8};
    for (const index_t ranks : {2, 4}) {
        const RankMapping dealt = map_units(t.tree, mapping, t.cost.front_flops, alike(ranks), rule);
        CHECK(dealt.grid[2].members().size() == at(ranks));
        double most = 0, all = 0;
        for (const RankPrediction& r : predict_ranks(t.tree, t.cost.front_flops, dealt, rule)) {
            most = std::max(most, r.flops);
            all += r.flops;
        }
        CHECK(all == doctest::Approx(t.cost.flops));
        CHECK(most < 1.6 * all / ranks);  // two of four ranks have a child each, a quarter of all
    }
}

TEST_CASE("places for what panels bring are counted") {
    const CostedTree t = tree_of_grid(7, Factorization::llt);
    const Mapping mapping = mapping_on_tiles(t.tree, 5);
    const MessageRule rule{t.kind, true, 8};
    const RankMapping all = share_all_fronts(t.tree, mapping, owners_in_turn(t.tree, mapping, 3), rule);
    const index_t root = t.tree.front_count() - 1;
    const TileGrid& tiles = all.tiles[at(root)];
    for (index_t rank = 0; rank < 3; ++rank) {
        const ReceivedTiles received = received_tiles(all, rule, root, Rank{rank});
        std::map<std::pair<index_t, index_t>, index_t> places;  // columns, by row and which panels
        for_each_message(t.tree, all, rule, root, [&](const Message& m) {
            CHECK(m.kind != MessageKind::pivot_record);  // L L^T has none
            if (m.destination != rank || m.kind == MessageKind::contribution) return;
            index_t& columns = places[{m.row, m.column % received_panels}];
            columns = std::max(columns, tiles.size(m.column));
        });
        count_t scalars = 0;
        for (const auto& [place, columns] : places) scalars += count_t{columns} * tiles.size(place.first);
        CHECK(received.scalars(tiles) == scalars);
        CHECK(!places.empty());
    }
}

TEST_CASE("a rank that receives every other panel has one place for it") {
    const CostedTree t = tree_of_grid(7, Factorization::llt);
    const Mapping mapping = mapping_on_tiles(t.tree, 5);
    const MessageRule rule{t.kind, true, 8};
    const index_t root = t.tree.front_count() - 1;
    std::vector<RankGrid> grids(t.tree.fronts.size());
    grids.back() = {1, 2, {0, 1}};
    const RankMapping two = mapping_of_grids(t.tree, mapping, grids, 2);
    const ReceivedTiles received = received_tiles(two, rule, root, Rank{0});  // has the even panels
    count_t used = 0;
    for (index_t row = 0; row < two.tiles[at(root)].tiles(); ++row) {
        CHECK(received.rows[ReceivedTiles::place(row, 0)] == 0);
        used += received.rows[ReceivedTiles::place(row, 1)];
    }
    CHECK(used > 0);
}

TEST_CASE("of ranks that are alike the first has the part with the smallest peak") {
    index_t others = 0;
    for (const index_t ranks : {2, 3, 4, 5}) {
        CAPTURE(ranks);
        const CostedTree t = tree_of_grid(12, Factorization::llt);
        const MessageRule rule{t.kind, true, 8};
        const auto peaks = [&](const RankMachine& machine) {
            const RankMapping units =
                map_units(t.tree, mapping_on_tiles(t.tree, 40), t.cost.front_flops, machine, rule);
            std::vector<count_t> all;
            for (const RankPrediction& r : predict_ranks(t.tree, t.cost.front_flops, units, rule))
                all.push_back(r.peak_bytes);
            return all;
        };
        const std::vector<count_t> of_alike = peaks(alike(ranks));
        CHECK(of_alike.front() == *std::min_element(of_alike.begin(), of_alike.end()));
        RankMachine unlike = alike(ranks);
        unlike.flops_per_second.back() *= 1.0001;
        const std::vector<count_t> of_others = peaks(unlike);
        others += of_others.front() > *std::min_element(of_others.begin(), of_others.end());
    }
    CHECK(others > 0);  // ranks that differ keep what they were dealt
}

TEST_CASE("tables of ranks that are none are refused") {
    const CostedTree t = tree_of_grid(7, Factorization::llt);
    const Mapping mapping = mapping_on_tiles(t.tree, 400);
    std::vector<RankGrid> grids(t.tree.fronts.size());
    CHECK_NOTHROW(mapping_of_grids(t.tree, mapping, grids, 2));
    CHECK_THROWS_AS(mapping_of_grids(t.tree, mapping, {}, 2), InvalidArgument);
    grids.back() = {1, 2, {0, 2}};
    CHECK_THROWS_WITH_AS(mapping_of_grids(t.tree, mapping, grids, 2), doctest::Contains("ranks are 0 .. 1"),
                         InvalidArgument);
    grids.back() = {1, 2, {0, 1}};  // there is one tile
    CHECK_THROWS_WITH_AS(mapping_of_grids(t.tree, mapping, grids, 2), doctest::Contains("no tile for a rank"),
                         InvalidArgument);
    grids.back() = {};
    grids.front() = {1, 2, {0, 1}};
    CHECK_THROWS_WITH_AS(mapping_of_grids(t.tree, mapping, grids, 2), doctest::Contains("in a subtree"),
                         InvalidArgument);
}
