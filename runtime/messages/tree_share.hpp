// SPDX-License-Identifier: BSD-3-Clause
// A tree whose units several ranks have: which rank has which, and the way to the others.
#pragma once

#include <algorithm>
#include <memory>

#include "frond/analysis/pieces.hpp"
#include "frond/analysis/rank_mapping.hpp"
#include "frond/base/vector_index.hpp"
#include "messages/channel.hpp"

namespace frond::detail {

/// What one rank has in one factorization and its solves. A subtree belongs to one rank, the tiles of a front on tiles
/// to one or of several: then one of them leads, which begins and ends what is done with vectors of the front.
struct TreeShare {
    std::shared_ptr<const RankMapping> whose;  // not null
    const RankMapping& mapping = *whose;
    MessageRule rule{};
    std::shared_ptr<Channel> channel{};  // not null
    std::int64_t solver = 0;  // see MessageTag
    std::int64_t number = 0;  // of the factorization, the same on all ranks of the solver
    std::shared_ptr<const Branches> of_devices{};  // this rank's branches, for its devices; null: it has no devices

    const Branches& branches() const {
        static const Branches& none = *new Branches;
        return of_devices != nullptr ? *of_devices : none;
    }
    index_t rank() const { return channel->rank(); }
    index_t ranks() const { return channel->ranks(); }
    /// The rank that has a front, or leads there, and with it the unit that it belongs to.
    index_t owner(index_t front) const { return mapping.grid[at(front)].rank.front(); }
    bool owns(index_t front) const { return owner(front) == rank(); }

    /// A shared front: its tiles are of several ranks.
    bool has_shared_tiles(index_t front) const { return mapping.grid[at(front)].rank.size() > 1; }
    index_t tile_owner(index_t front, index_t row, index_t column) const {
        return mapping.grid[at(front)].owner(row, column);
    }
    bool has_part(index_t front, index_t rank) const {
        const std::vector<index_t>& ranks = mapping.grid[at(front)].rank;
        return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
    }
    /// True: this rank has some tile of the front, or the front.
    bool has_part(index_t front) const { return has_part(front, rank()); }
};

/// The tile of a front that a local row or column is in.
inline index_t tile_of(const TileGrid& grid, index_t row) {
    return static_cast<index_t>(std::upper_bound(grid.cut.begin(), grid.cut.end(), row) - grid.cut.begin()) - 1;
}

}  // namespace frond::detail
