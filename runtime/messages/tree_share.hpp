// SPDX-License-Identifier: BSD-3-Clause
// A tree whose units are dealt to ranks: who has which, and the way to the others.
#pragma once

#include <memory>

#include "frond/analysis/rank_mapping.hpp"
#include "frond/base/vector_index.hpp"
#include "messages/channel.hpp"

namespace frond::detail {

/// Of one factorization and its solves, on one rank. A unit (a subtree, or a front on tiles) is of one rank.
struct TreeShare {
    RankMapping mapping;  // the table of each front has one rank
    MessageRule rule;
    std::shared_ptr<Channel> channel;  // not null
    std::int64_t solver = 0;  // see MessageTag
    std::int64_t number = 0;  // of the factorization, the same on all ranks of the solver

    index_t rank() const { return channel->rank(); }
    index_t ranks() const { return channel->ranks(); }
    /// The rank that has a front, and with it the unit that it belongs to.
    index_t owner(index_t front) const { return mapping.grid[at(front)].rank.front(); }
    bool owns(index_t front) const { return owner(front) == rank(); }
};

/// Of a contribution block, tile by tile: of symmetric kinds those on and below the diagonal.
inline count_t contribution_scalars(const TileGrid& grid, bool symmetric) {
    count_t scalars = 0;
    for (index_t j = grid.own_tiles; j < grid.tiles(); ++j)
        for (index_t i = symmetric ? j : grid.own_tiles; i < grid.tiles(); ++i)
            scalars += count_t{grid.size(i)} * grid.size(j);
    return scalars;
}

}  // namespace frond::detail
