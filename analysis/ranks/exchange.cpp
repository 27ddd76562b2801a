// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "frond/base/vector_index.hpp"
#include "../mapping/mapping_parts.hpp"
#include "ranks_parts.hpp"

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

}  // namespace frond
