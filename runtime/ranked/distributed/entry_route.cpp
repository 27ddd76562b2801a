// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/distributed/entry_route.hpp"

#include <algorithm>
#include <utility>

#include "frond/base/vector_index.hpp"
#include "messages/tree_share.hpp"
#include "ranked/distributed/placed_entries.hpp"
#include "ranks/parcels.hpp"
#include "system/rows/for_chunks.hpp"

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
    LargeVector<index_t> row, column;  // [n]
};

RowAndColumnPositions positions_of(const Analysis& analysis, const ParallelFor& parallel_for) {
    RowAndColumnPositions position;
    position.row.resize(analysis.row_order.size());
    position.column.resize(position.row.size());
    for_chunks(static_cast<count_t>(position.row.size()), parallel_for, [&](count_t, count_t first, count_t end) {
        for (count_t k = first; k < end; ++k) {
            position.row[at(analysis.row_order[at(k)])] = static_cast<index_t>(k);
            position.column[at(analysis.column_order[at(k)])] = static_cast<index_t>(k);
        }
    });
    return position;
}

/// visit(entry of the block, where it belongs) in these rows of the block; without what another triangle brings.
template <class Visit>
void for_each_placed(const BlockPattern& a, const RowAndColumnPositions& position, bool symmetric, count_t first,
                     count_t end, const Visit& visit) {
    for (count_t i = first; i < end; ++i) {
        const index_t row = position.row[at(a.first() + i)];
        for (count_t e = a.begin[at(i)]; e < a.begin[at(i) + 1]; ++e)
            if (const index_t column = position.column[at(a.column[at(e)])]; !symmetric || row >= column)
                visit(e, Placed{row, column});
    }
}

/// begin := that of the parcels of all ranks. sizes [chunks][ranks] := where in them the entries of each chunk begin.
void begin_chunks(std::vector<std::vector<count_t>>& sizes, std::vector<count_t>& begin) {
    const std::size_t ranks = begin.size() - 1;
    for (std::size_t r = 0; r < ranks; ++r) {
        begin[r + 1] = begin[r];
        for (std::vector<count_t>& chunk : sizes) begin[r + 1] += std::exchange(chunk[r], begin[r + 1]);
    }
}

}  // namespace

/// Parcels are in the order of the block, whatever worker has which chunk of it.
LargeVector<Placed> EntryRoute::send_places(Communicator& ranks, const BlockPattern& pattern,
                                            const RankMapping& mapping, const Analysis& analysis,
                                            const ParallelFor& parallel_for) {
    const bool symmetric = analysis.factorization != Factorization::lu;
    LargeVector<Placed> out;
    collectively(ranks, [&] {
        const LocalNumbers numbers(analysis.tree);
        const RowAndColumnPositions position = positions_of(analysis, parallel_for);
        std::vector<std::vector<count_t>> next(at(chunks_of(pattern.rows())), std::vector<count_t>(at(ranks.size())));
        LargeVector<count_t> place(pattern.column.size());
        for_chunks(pattern.rows(), parallel_for, [&](count_t chunk, count_t first, count_t end) {
            std::fill(place.begin() + pattern.begin[at(first)], place.begin() + pattern.begin[at(end)], -1);
            for_each_placed(pattern, position, symmetric, first, end, [&](count_t e, const Placed& p) {
                ++next[at(chunk)][at(place[at(e)] = owner_of(p, numbers, mapping))];
            });
        });
        out_begin_.assign(at(ranks.size()) + 1, 0);
        begin_chunks(next, out_begin_);
        out.resize(at(out_begin_.back()));
        for_chunks(pattern.rows(), parallel_for, [&](count_t chunk, count_t first, count_t end) {
            for_each_placed(pattern, position, symmetric, first, end, [&](count_t e, const Placed& p) {
                place[at(e)] = next[at(chunk)][at(place[at(e)])]++;
                out[at(place[at(e)])] = p;
            });
        });
        place_ = Positions(place, parallel_for);
    });
    in_begin_ = incoming_begin(ranks, out_begin_);
    LargeVector<Placed> in;
    collectively(ranks, [&] { in.resize(at(in_begin_.back())); });
    exchange_parcels<Placed>(ranks, out, out_begin_, in, in_begin_);
    return in;
}

EntryRoute::EntryRoute(Communicator& ranks, const BlockPattern& pattern, const RankMapping& mapping,
                       const Analysis& analysis, const ParallelFor& parallel_for) {
    const LargeVector<Placed> in = send_places(ranks, pattern, mapping, analysis, parallel_for);
    collectively(ranks, [&] { to_ = Positions(places_in_map(in, analysis, parallel_for), parallel_for); });
}

EntryRoute EntryRoute::with_map(Communicator& ranks, const BlockPattern& pattern, const RankMapping& mapping,
                                Analysis& part) {
    EntryRoute route;
    const LargeVector<Placed> in = route.send_places(ranks, pattern, mapping, part, {});
    collectively(ranks, [&] { route.to_ = Positions(fill_map(in, part.tree, part.entry_map)); });
    return route;
}

}  // namespace frond::detail
