// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "dissection_graph.hpp"
#include "move_queue.hpp"

namespace frond::dissection {

/// What a partition may be like, and how long to look for a better one.
struct RefinementLimits {
    count_t heaviest_side = 0;
    int passes = 10;  // of each side
    index_t patience = 1000;  // moves without success, at most
};

/// Moves vertices out of the separator to one side, each pulling its neighbours of the other side
/// in, and keeps the cheapest partition seen; sides take turns (vertex form of Fiduccia &
/// Mattheyses 1982; Ashcraft & Liu 1998). Moving one way, gains only grow. Scratch is kept from
/// call to call.
class SeparatorRefiner {
public:
    void refine(const Graph& graph, Partition& partition, const RefinementLimits& limits);

private:
    struct Move {
        index_t vertex;
        index_t pulled_end;  // pulled_[previous end .. this) came into the separator
    };

    bool pass(const Graph& graph, Partition& partition, Side to, const RefinementLimits& limits);
    void move(const Graph& graph, Partition& partition, index_t v, Side to);
    void pull(const Graph& graph, Partition& partition, index_t u, Side to);
    void undo_to(const Graph& graph, Partition& partition, Side to, std::size_t kept);
    void list_separator(Partition& partition);

    MoveQueue queue_;
    std::vector<Move> moves_;
    std::vector<index_t> pulled_;
};

}  // namespace frond::dissection
