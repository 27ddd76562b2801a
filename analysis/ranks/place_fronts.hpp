// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tables/rank_tables.hpp"
#include "walk_ranks.hpp"

namespace frond {

/// A mapping and what becomes of it.
struct PlayedMapping {
    RankMapping mapping;
    std::vector<RankPrediction> ranks;
    double seconds = 0;  // by the model of time
};

/// Chooses the ranks of each front of the groups, bottom up, since children then have theirs, and walks over them. In a
/// piece only the topmost front has its rank in mapping.grid: most trees that are tried are not taken.
PlayedMapping place_fronts(const AssemblyTree& tree, const std::vector<double>& front_flops,
                           std::vector<RankInterval> group, const RankMachine& machine, const MessageRule& rule,
                           RankTables& tables);

/// The mapping with the rank of every front.
RankMapping with_pieces(RankMapping mapping);

}  // namespace frond
