// SPDX-License-Identifier: BSD-3-Clause
#include "../mapping_parts.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/vector_index.hpp"
#include "ranks_parts.hpp"

#include <algorithm>
#include <string>

namespace frond {
namespace {

std::vector<index_t> tile_of_row(const TileGrid& tiles) {
    std::vector<index_t> tile;
    for (index_t t = 0; t < tiles.tiles(); ++t) tile.insert(tile.end(), at(tiles.size(t)), t);
    return tile;
}

/// Neighbouring rows of a contribution block that are in one tile of the child and in one of the parent.
struct Segment {
    index_t in_child = 0, in_parent = 0;  // tiles
    count_t rows = 0;
};

std::vector<Segment> segments(const AssemblyTree& tree, const std::vector<TileGrid>& tiles, index_t child) {
    const Front& front = tree.fronts[at(child)];
    if (!has_rows(tree, front)) return {};  // nothing is known of what its ranks would exchange
    const std::vector<index_t> in_child = tile_of_row(tiles[at(child)]),
                               in_parent = tile_of_row(tiles[at(front.parent)]);
    std::vector<Segment> all;
    for (index_t r = 0; r < front.ncb(); ++r) {
        const Segment here{in_child[at(front.npiv + r)], in_parent[at(tree.relative_rows[at(front.rows_begin + r)])],
                           1};
        if (!all.empty() && all.back().in_child == here.in_child && all.back().in_parent == here.in_parent)
            ++all.back().rows;
        else
            all.push_back(here);
    }
    return all;
}

}  // namespace

/// For symmetric kinds only what is on and below the diagonal travels.
Exchange exchange_between(const AssemblyTree& tree, const std::vector<TileGrid>& tiles, Factorization kind,
                          index_t child, const RankGrid& from, const RankGrid& to) {
    const std::vector<Segment> all = segments(tree, tiles, child);
    const bool symmetric = kind != Factorization::lu;
    Exchange exchange;
    for (std::size_t j = 0; j < all.size(); ++j)
        for (std::size_t i = symmetric ? j : 0; i < all.size(); ++i)
            exchange[{from.owner(all[i].in_child, all[j].in_child), to.owner(all[i].in_parent, all[j].in_parent)}] +=
                symmetric && i == j ? all[i].rows * (all[i].rows + 1) / 2 : all[i].rows * all[j].rows;
    return exchange;
}

TileReaders readers_of_tiles(const AssemblyTree& tree, const std::vector<TileGrid>& tiles, Factorization kind,
                             index_t child, const RankGrid& from, const RankGrid& to) {
    const std::vector<Segment> all = segments(tree, tiles, child);
    TileReaders readers;
    for (std::size_t j = 0; j < all.size(); ++j)
        for (std::size_t i = kind != Factorization::lu ? j : 0; i < all.size(); ++i) {
            const index_t row = all[i].in_child, column = all[j].in_child,
                          reader = to.owner(all[i].in_parent, all[j].in_parent);
            if (reader == from.owner(row, column)) continue;
            std::vector<index_t>& ranks = readers[{column, row}];
            const auto place = std::lower_bound(ranks.begin(), ranks.end(), reader);
            if (place == ranks.end() || *place != reader) ranks.insert(place, reader);
        }
    return readers;
}

namespace {

constexpr count_t most_contribution_bytes = count_t{16} << 20;
constexpr count_t announcement_bytes = 16;

/// Whole tiles, also those on the diagonal of symmetric kinds: they are sent as they lie in memory.
void contribution_tiles(const AssemblyTree& tree, const RankMapping& mapping, const MessageRule& rule, index_t child,
                        const std::function<void(const Message&)>& visit) {
    const index_t parent = tree.fronts[at(child)].parent;
    const RankGrid &from = mapping.grid[at(child)], &to = mapping.grid[at(parent)];
    if (from.rank.size() == 1 && to.rank == from.rank) return;
    const TileGrid& tiles = mapping.tiles[at(child)];
    for (const auto& [tile, readers] : readers_of_tiles(tree, mapping.tiles, rule.kind, child, from, to)) {
        const auto [j, i] = tile;
        for (const index_t reader : readers)
            visit({parent, MessageKind::contribution, from.owner(i, j), reader, child, i + j * tiles.tiles(),
                   count_t{tiles.size(i)} * tiles.size(j) * rule.scalar_bytes, false});
    }
}

void contribution_parts(const AssemblyTree& tree, const RankMapping& mapping, const MessageRule& rule, index_t child,
                        const std::function<void(const Message&)>& visit) {
    const index_t parent = tree.fronts[at(child)].parent;
    for (const auto& [ranks, scalars] :
         exchange_between(tree, mapping.tiles, rule.kind, child, mapping.grid[at(child)], mapping.grid[at(parent)])) {
        if (ranks.first == ranks.second) continue;
        index_t part = 0;
        for (count_t left = scalars * rule.scalar_bytes; left > 0; left -= most_contribution_bytes, ++part)
            visit({parent, MessageKind::contribution, ranks.first, ranks.second, child, part,
                   std::min(left, most_contribution_bytes), false});
    }
}

void contribution(const AssemblyTree& tree, const RankMapping& mapping, const MessageRule& rule, index_t child,
                  const std::function<void(const Message&)>& visit) {
    const index_t parent = tree.fronts[at(child)].parent;
    if (mapping.whole_tiles)
        contribution_tiles(tree, mapping, rule, child, visit);
    else
        contribution_parts(tree, mapping, rule, child, visit);
    if (rule.kind == Factorization::llt || !rule.threshold_pivoting) return;
    const index_t from = failed_home(mapping, child), to = failed_home(mapping, parent);
    if (from == to) return;
    visit({parent, MessageKind::announcement, from, to, child, 0, announcement_bytes, false});
    visit({parent, MessageKind::delayed_columns, from, to, child, 0, no_delayed_columns_bytes, true});
}

}  // namespace

void for_each_message(const AssemblyTree& tree, const RankMapping& mapping, const MessageRule& rule, index_t front,
                      const std::function<void(const Message&)>& visit) {
    FROND_EXPECTS(front >= 0 && front < tree.front_count(), "there is no front " + std::to_string(front) +
                                                                "; fronts are 0 .. " +
                                                                std::to_string(tree.front_count() - 1));
    if (!mapping.is_shared(front)) return;  // all below is of the same rank
    for (count_t c = tree.child_begin[at(front)]; c < tree.child_begin[at(front) + 1]; ++c)
        contribution(tree, mapping, rule, tree.children[at(c)], visit);
    for_each_message_within(mapping, rule, front, visit);
}

bool fits_messages(const RankMapping& mapping, const MessageRule& rule) {
    for (std::size_t f = 0; f < mapping.tiles.size(); ++f) {
        const TileGrid& tiles = mapping.tiles[f];
        index_t largest = 0;
        for (index_t t = mapping.grid[f].rank.size() > 1 ? 0 : tiles.own_tiles; t < tiles.tiles(); ++t)
            largest = std::max(largest, tiles.size(t));
        if (count_t{largest} * largest * rule.scalar_bytes > largest_message_bytes) return false;
    }
    return true;
}

}  // namespace frond
