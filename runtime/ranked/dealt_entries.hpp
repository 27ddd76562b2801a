// SPDX-License-Identifier: BSD-3-Clause
// What each rank gets of a tree and of the matrix.
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/base/vector_index.hpp"
#include "messages/tree_share.hpp"

namespace frond::detail {

template <class T>
MessageRule rule_of(const Analysis& analysis, bool threshold) {
    return {analysis.factorization, threshold, static_cast<count_t>(sizeof(T))};
}

/// Whether every tile fits a message, which tiles that the caller asked for may not.
bool are_sendable(const TreeShare& share);

/// visit(begin, end) for entries of the tiles of one rank, in the order of the entry map.
template <class Visit>
void for_each_entries(const Analysis& analysis, const TreeShare& share, index_t rank, const Visit& visit) {
    const EntryMap& map = analysis.entry_map;
    for (index_t f = 0; f < analysis.tree.front_count(); ++f) {
        const count_t begin = map.front_begin[at(f)], end = map.front_begin[at(f) + 1];
        if (!share.has_shared_tiles(f)) {
            if (share.owner(f) == rank) visit(begin, end);
            continue;
        }
        if (!share.has_part(f, rank)) continue;
        const TileGrid& tiles = share.mapping.tiles[at(f)];
        for (count_t e = begin; e < end; ++e)
            if (share.tile_owner(f, tile_of(tiles, map.row[at(e)]), tile_of(tiles, map.column[at(e)])) == rank)
                visit(e, e + 1);
    }
}

/// Of the tiles of one rank.
count_t entries_of_rank(const Analysis& analysis, const TreeShare& share, index_t rank);

}  // namespace frond::detail
