// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/distributed/entry_route.hpp"

#include <utility>

#include "frond/base/vector_index.hpp"
#include "messages/tree_share.hpp"
#include "ranked/distributed/placed_entries.hpp"
#include "ranks/parcels.hpp"

namespace frond::detail {
namespace {

index_t owner_of(const Placed& p, const LocalNumbers& numbers, const RankMapping& mapping) {
    const index_t f = numbers.front(p);
    const RankGrid& grid = mapping.grid[at(f)];
    if (grid.rank.size() == 1) return grid.rank.front();
    const TileGrid& tiles = mapping.tiles[at(f)];
    return grid.owner(tile_of(tiles, numbers.number(f, p.row)), tile_of(tiles, numbers.number(f, p.column)));
}

/// Where the analysis has rows and columns of A.
struct RowAndColumnPositions {
    std::vector<index_t> row, column;  // [n]
};

RowAndColumnPositions positions_of(const Analysis& analysis) {
    RowAndColumnPositions position;
    position.row.resize(analysis.row_order.size());
    position.column.resize(position.row.size());
    for (std::size_t k = 0; k < position.row.size(); ++k) {
        position.row[at(analysis.row_order[k])] = static_cast<index_t>(k);
        position.column[at(analysis.column_order[k])] = static_cast<index_t>(k);
    }
    return position;
}

/// visit(entry of the block, where it belongs) in the order of the block; without what another triangle brings.
template <class Visit>
void for_each_placed(const BlockPattern& a, const RowAndColumnPositions& position, bool symmetric, const Visit& visit) {
    for (index_t i = 0; i < a.rows(); ++i) {
        const index_t row = position.row[at(a.first() + i)];
        for (count_t e = a.begin[at(i)]; e < a.begin[at(i) + 1]; ++e)
            if (const index_t column = position.column[at(a.column[at(e)])]; !symmetric || row >= column)
                visit(e, Placed{row, column});
    }
}

}  // namespace

std::vector<Placed> EntryRoute::send_places(Communicator& ranks, const BlockPattern& pattern,
                                            const RankMapping& mapping, const Analysis& analysis) {
    const bool symmetric = analysis.factorization != Factorization::lu;
    Parcels<Placed> out;
    collectively(ranks, [&] {
        const LocalNumbers numbers(analysis.tree);
        const RowAndColumnPositions position = positions_of(analysis);
        std::vector<count_t> sizes(at(ranks.size()), 0), place(pattern.column.size(), -1);
        for_each_placed(pattern, position, symmetric,
                        [&](count_t e, const Placed& p) { ++sizes[at(place[at(e)] = owner_of(p, numbers, mapping))]; });
        out_begin_ = out.begin = begin_of_sizes(sizes);
        out.data.resize(at(out.begin.back()));
        std::vector<count_t> next(out.begin.begin(), out.begin.end() - 1);
        for_each_placed(pattern, position, symmetric, [&](count_t e, const Placed& p) {
            place[at(e)] = next[at(place[at(e)])]++;
            out.data[at(place[at(e)])] = p;
        });
        place_ = Positions(std::move(place));
    });
    Parcels<Placed> in = exchanged(ranks, out);
    in_begin_ = std::move(in.begin);
    return std::move(in.data);
}

EntryRoute::EntryRoute(Communicator& ranks, const BlockPattern& pattern, const RankMapping& mapping,
                       const Analysis& analysis) {
    const std::vector<Placed> in = send_places(ranks, pattern, mapping, analysis);
    collectively(ranks, [&] { to_ = Positions(places_in_map(in, analysis)); });
}

EntryRoute EntryRoute::with_map(Communicator& ranks, const BlockPattern& pattern, const RankMapping& mapping,
                                Analysis& part) {
    EntryRoute route;
    const std::vector<Placed> in = route.send_places(ranks, pattern, mapping, part);
    collectively(ranks, [&] { route.to_ = Positions(fill_map(in, part.tree, part.entry_map)); });
    return route;
}

}  // namespace frond::detail
