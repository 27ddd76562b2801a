// SPDX-License-Identifier: BSD-3-Clause
// The graph of the analysis on rank 0, ordered by all ranks.
#pragma once

#include <vector>

#include "frond/analysis/distributed_steps.hpp"
#include "ranked/team.hpp"

namespace frond::detail {

/// On rank 0, while it leads: sends intervals of the graph to the ranks, and gathers the order.
class OrderingByRanks final : public DistributedOrdering {
public:
    explicit OrderingByRanks(Team& team) : team_(team) {}

    void expect_available() const override;
    std::vector<index_t> order(const Pattern& graph, const std::vector<index_t>& weight) override;

private:
    Team& team_;
};

/// The vertex at each position. @throws RuntimeError  it is no permutation
std::vector<index_t> order_of_positions(const std::vector<index_t>& position);

/// The part of another rank in order(). Throws what rank 0 throws.
void serve_ordering(Communicator& ranks);

}  // namespace frond::detail
