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

    index_t rank() const { return channel->rank(); }
    index_t ranks() const { return channel->ranks(); }
    /// The rank that has a front, and with it the unit that it belongs to.
    index_t owner(index_t front) const { return mapping.grid[at(front)].rank.front(); }
    bool owns(index_t front) const { return owner(front) == rank(); }
};

}  // namespace frond::detail
