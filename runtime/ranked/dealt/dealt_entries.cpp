// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/dealt/dealt_entries.hpp"

#include <algorithm>

#include "frond/base/vector_index.hpp"
#include "ranked/dealt/local_analysis.hpp"

namespace frond::detail {

bool are_sendable(const TreeShare& share) {
    for (std::size_t f = 0; f < share.mapping.tiles.size(); ++f) {
        const TileGrid& tiles = share.mapping.tiles[f];
        index_t largest = 0;
        for (index_t t = share.has_shared_tiles(static_cast<index_t>(f)) ? 0 : tiles.own_tiles; t < tiles.tiles(); ++t)
            largest = std::max(largest, tiles.size(t));
        if (count_t{largest} * largest * share.rule.scalar_bytes > most_static_bytes) return false;
    }
    return true;
}

count_t entries_of_rank(const Analysis& analysis, const TreeShare& share, index_t rank) {
    count_t entries = 0;
    for_each_entries(analysis, share.mapping, rank, [&](count_t begin, count_t end) { entries += end - begin; });
    return entries;
}

}  // namespace frond::detail
