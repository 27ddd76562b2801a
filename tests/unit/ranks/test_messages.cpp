// SPDX-License-Identifier: BSD-3-Clause
// The plan of messages, played: whoever sends has what it sends, and in the end everybody has what its tiles need.
#include "rank_trees.hpp"

#include "frond/base/error.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <tuple>

using namespace frond;
using namespace frond::test;

namespace {

std::vector<Message> messages_of(const CostedTree& t, const RankMapping& mapping, const MessageRule& rule,
                                 index_t front) {
    std::vector<Message> all;
    for_each_message(t.tree, mapping, rule, front, [&](const Message& m) { all.push_back(m); });
    return all;
}

/// Ranks, tiles and panels of a front as it is dealt.
struct Player {
    const RankGrid& grid;
    const TileGrid& tiles;
    const MessageRule& rule;
    bool symmetric;
    std::set<std::tuple<MessageKind, index_t, index_t, index_t>> there;  // what, tile, rank

    void begin() {
        there.insert({MessageKind::second_pass, last_own(), last_own(), grid.rank.front()});
        for (index_t k = 0; k < tiles.own_tiles; ++k) {
            for (const MessageKind kind : {MessageKind::diagonal, MessageKind::pivot_record,
                                           MessageKind::accepted_panel, MessageKind::row_exchanges})
                there.insert({kind, k, k, grid.owner(k, k)});
            for (index_t i = k + 1; i < tiles.tiles(); ++i) {
                there.insert({MessageKind::lower_tile, i, k, grid.owner(i, k)});
                if (!symmetric) there.insert({MessageKind::upper_tile, k, i, grid.owner(k, i)});
                if (sends_both()) there.insert({MessageKind::upper_tile, k, i, grid.owner(i, k)});
            }
        }
    }
    bool has(MessageKind kind, index_t i, index_t j, index_t rank) const { return there.count({kind, i, j, rank}) > 0; }

    void play(const Message& m) {
        if (m.kind == MessageKind::accepted_panel) CHECK(m.bytes == accepted_panel_bytes);
        const bool is_tile = m.kind <= MessageKind::upper_tile && m.kind != MessageKind::contribution &&
                             m.kind != MessageKind::first_failure;
        if (!is_tile && m.kind != MessageKind::accepted_panel && m.kind != MessageKind::second_pass &&
            m.kind != MessageKind::row_exchanges)
            return;
        REQUIRE(has(m.kind, m.row, m.column, m.source));
        CHECK(there.insert({m.kind, m.row, m.column, m.destination}).second);  // nothing twice
        if (m.kind == MessageKind::lower_tile || m.kind == MessageKind::upper_tile)
            CHECK(m.bytes == count_t{tiles.size(m.row)} * tiles.size(m.column) * 8);
    }

    void check_end() const {
        const bool has_failed = rule.kind != Factorization::llt && rule.threshold_pivoting;
        for (const index_t r : grid.members())
            if (has_failed) REQUIRE(has(MessageKind::second_pass, last_own(), last_own(), r));
        for (index_t k = 0; k < tiles.own_tiles; ++k) {
            for (const index_t r : grid.members()) {
                if (needs_record(k, r)) REQUIRE(has(MessageKind::pivot_record, k, k, r));
                if (has_failed) REQUIRE(has(MessageKind::accepted_panel, k, k, r));
                const bool exchanges = rule.exchanges_rows && k + 1 < tiles.tiles();
                REQUIRE(has(MessageKind::row_exchanges, k, k, r) == (exchanges || r == grid.owner(k, k)));
            }
            for (index_t i = k + 1; i < tiles.tiles(); ++i) check_panel(k, i);
        }
    }
    index_t last_own() const { return std::max<index_t>(tiles.own_tiles - 1, 0); }
    /// L of L D L^T, and D L^T.
    bool sends_both() const { return rule.kind == Factorization::ldlt; }
    /// L L^T has no pivots to know; else who solves must know them.
    bool needs_record(index_t k, index_t rank) const {
        if (rule.kind == Factorization::llt) return false;
        for (index_t i = k; i < tiles.tiles(); ++i)
            if (grid.owner(i, k) == rank || (!symmetric && grid.owner(k, i) == rank)) return true;
        return false;
    }
    void check_panel(index_t k, index_t i) const {
        REQUIRE(has(MessageKind::diagonal, k, k, grid.owner(i, k)));
        if (!symmetric) REQUIRE(has(MessageKind::diagonal, k, k, grid.owner(k, i)));
        for (index_t j = k + 1; j < (symmetric ? i + 1 : tiles.tiles()); ++j) {
            REQUIRE(has(MessageKind::lower_tile, i, k, grid.owner(i, j)));
            if (sends_both())
                REQUIRE(has(MessageKind::upper_tile, k, j, grid.owner(i, j)));
            else if (symmetric)
                REQUIRE(has(MessageKind::lower_tile, j, k, grid.owner(i, j)));
            else
                REQUIRE(has(MessageKind::upper_tile, k, j, grid.owner(i, j)));
        }
    }
};

index_t tile_of(const TileGrid& tiles, index_t row) {
    index_t t = 0;
    while (tiles.cut[at(t) + 1] <= row) ++t;
    return t;
}

/// Bytes from one rank to another, entry by entry.
std::map<std::pair<index_t, index_t>, count_t> contributions(const CostedTree& t, const RankMapping& mapping,
                                                             bool symmetric, index_t front) {
    std::map<std::pair<index_t, index_t>, count_t> bytes;
    for (count_t c = t.tree.child_begin[at(front)]; c < t.tree.child_begin[at(front) + 1]; ++c) {
        const index_t child = t.tree.children[at(c)];
        const Front& from = t.tree.fronts[at(child)];
        const TileGrid &own = mapping.tiles[at(child)], &to = mapping.tiles[at(front)];
        for (index_t i = 0; i < from.ncb(); ++i)
            for (index_t j = 0; j < from.ncb(); ++j) {
                const index_t ci = tile_of(own, from.npiv + i), cj = tile_of(own, from.npiv + j);
                const index_t pi = tile_of(to, t.tree.relative_rows[at(from.rows_begin + i)]),
                              pj = tile_of(to, t.tree.relative_rows[at(from.rows_begin + j)]);
                if (symmetric && i < j) continue;
                const index_t source = mapping.grid[at(child)].owner(ci, cj),
                              destination = mapping.grid[at(front)].owner(pi, pj);
                if (source != destination) bytes[{source, destination}] += 8;
            }
    }
    return bytes;
}

void check_front(const CostedTree& t, const RankMapping& mapping, const MessageRule& rule, index_t front) {
    const bool symmetric = rule.kind != Factorization::lu;
    Player player{mapping.grid[at(front)], mapping.tiles[at(front)], rule, symmetric, {}};
    player.begin();
    std::map<std::pair<index_t, index_t>, count_t> contributed;
    for (const Message& m : messages_of(t, mapping, rule, front)) {
        REQUIRE(m.front == front);
        REQUIRE(m.source != m.destination);
        REQUIRE(m.bytes > 0);
        REQUIRE(mapping.group[at(front)].contains(m.source));
        REQUIRE(mapping.group[at(front)].contains(m.destination));
        if (m.kind == MessageKind::contribution) contributed[{m.source, m.destination}] += m.bytes;
        player.play(m);
    }
    player.check_end();
    CHECK(contributed == contributions(t, mapping, symmetric, front));
}

}  // namespace

TEST_CASE("the plan brings every tile where it is needed") {
    for (const Factorization kind : {Factorization::llt, Factorization::ldlt, Factorization::lu}) {
        const CostedTree t = tree_of_grid(9, kind);
        for (const index_t ranks : {2, 3, 5, 8, 16})
            for (std::uint64_t seed = 1; seed <= 3; ++seed) {
                CAPTURE(static_cast<int>(kind));
                CAPTURE(ranks);
                CAPTURE(seed);
                RankMapping mapping = mapped(t, alike(ranks));
                share_much(t.tree, mapping, seed);
                index_t shared = 0;
                for (index_t f = 0; f < t.tree.front_count(); ++f) {
                    if (!mapping.is_shared(f)) continue;
                    ++shared;
                    check_front(t, mapping, {kind, true, 8}, f);
                    check_front(t, mapping, {kind, false, 8}, f);
                    if (kind == Factorization::lu) check_front(t, mapping, {kind, true, 8, true}, f);
                }
                CHECK(shared > 0);
            }
    }
}

TEST_CASE("fronts of one rank exchange nothing") {
    const CostedTree t = tree_of_grid(8, Factorization::lu);
    for (const index_t ranks : {1, 4}) {
        const RankMapping mapping = mapped(t, alike(ranks));
        for (index_t f = 0; f < t.tree.front_count(); ++f)
            if (!mapping.is_shared(f)) CHECK(messages_of(t, mapping, {}, f).empty());
    }
}

TEST_CASE("without threshold pivoting nothing is said of failed columns") {
    const CostedTree t = tree_of_grid(9, Factorization::lu);
    RankMapping mapping = mapped(t, alike(6));
    share_much(t.tree, mapping, 4);
    index_t about_failed = 0;
    for (index_t f = 0; f < t.tree.front_count(); ++f) {
        for (const Message& m : messages_of(t, mapping, {Factorization::lu, false, 8}, f)) {
            CHECK(m.kind != MessageKind::first_failure);
            CHECK(!m.grows);
        }
        for (const Message& m : messages_of(t, mapping, {Factorization::lu, true, 8}, f))
            about_failed += m.grows ? 1 : 0;
    }
    CHECK(about_failed > 0);
}

TEST_CASE("who tests tiles of L says which column fails first, and nobody else") {
    for (const Factorization kind : {Factorization::ldlt, Factorization::lu}) {
        const CostedTree t = tree_of_grid(9, kind);
        for (const index_t ranks : {2, 3, 6}) {
            RankMapping mapping = mapped(t, alike(ranks));
            share_much(t.tree, mapping, 5);
            for (index_t f = 0; f < t.tree.front_count(); ++f) {
                const RankGrid& grid = mapping.grid[at(f)];
                const TileGrid& tiles = mapping.tiles[at(f)];
                std::set<std::pair<index_t, index_t>> told, wanted;  // panel, rank
                for (const Message& m : messages_of(t, mapping, {kind, true, 8}, f)) {
                    if (m.kind != MessageKind::first_failure) continue;
                    CHECK(m.destination == grid.owner(m.row, m.row));
                    CHECK(told.insert({m.row, m.source}).second);
                }
                for (index_t k = 0; mapping.is_shared(f) && k < tiles.own_tiles; ++k)
                    for (index_t i = k + 1; i < tiles.tiles(); ++i)
                        if (grid.owner(i, k) != grid.owner(k, k)) wanted.insert({k, grid.owner(i, k)});
                CHECK(told == wanted);
            }
        }
    }
}

TEST_CASE("contribution blocks go in parts of 16 MiB at most") {
    // Two fronts of two ranks: 3000 contribution rows, 72 MB.
    CostedTree t;
    t.tree.order = 3001;
    t.tree.fronts = {{0, 1, 3001, 1, 0}, {1, 3000, 3000, -1, 3000}};
    for (index_t r = 0; r < 3000; ++r) t.tree.rows.push_back(1 + r), t.tree.relative_rows.push_back(r);
    t.tree.first_descendant = {0, 0};
    t.tree.child_begin = {0, 0, 1};
    t.tree.children = {0};
    RankMapping mapping;
    mapping.ranks = 2;
    mapping.group = {{0, 1}, {0, 2}};
    mapping.grid = {{1, 1, {0}}, {1, 1, {1}}};
    mapping.tiles = {{{0, 1, 3001}, 1}, {{0, 3000}, 1}};
    const std::vector<Message> all = messages_of(t, mapping, {Factorization::lu, false, 8}, 1);
    REQUIRE(all.size() == 5);
    count_t bytes = 0;
    for (const Message& m : all) {
        CHECK(m.bytes <= count_t{16} << 20);
        CHECK(m.column == &m - all.data());
        bytes += m.bytes;
    }
    CHECK(bytes == count_t{3000} * 3000 * 8);
    CHECK_THROWS_AS(messages_of(t, mapping, {}, 2), InvalidArgument);
}
