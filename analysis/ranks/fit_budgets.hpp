// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "deal_tree.hpp"
#include "place_fronts.hpp"

namespace frond {

/// What is the same for all mappings that are tried.
struct RankPlayer {
    const AssemblyTree& tree;
    const std::vector<double>& front_flops;
    const std::vector<double>& below;  // flops of subtrees
    const RankMachine& machine;
    const MessageRule& rule;
    RankTables& tables;
};

struct FittedMapping {
    PlayedMapping played;
    count_t above_bytes = 0;  // what the rank with most has above its budget; 0: all fit
};

/// Places the fronts of `groups`, which are those of `deal`. As long as a rank is above its budget, children of the
/// splits that contribute are done in turn by their whole groups, the lowest split first, then those above it, at last
/// those further down, as long as that brings the ranks nearer to their budgets. The mapping that fits, or the one that
/// came nearest.
FittedMapping fit_budgets(const RankPlayer& player, Deal deal, const std::vector<RankInterval>& groups);

/// Without budgets: `quickest`, which was mapped by `deal`, with children of splits in turn where that saves as much
/// memory as bytes travel more. The same for any number of threads.
PlayedMapping spare_memory(const RankPlayer& player, Deal deal, PlayedMapping quickest, index_t threads);

}  // namespace frond
