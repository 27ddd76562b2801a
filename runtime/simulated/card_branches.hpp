// SPDX-License-Identifier: BSD-3-Clause
// Branches: subtrees of the assembly tree that belong to one rank, whose cards factor them at once by recorded graphs, as a
// card factors a whole tree (decision 29). The fronts above them are tasks on tiles.
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/rank_mapping.hpp"
#include "frond/cpu/pivot_report.hpp"

namespace frond::detail {

/// Roots of the branches of each card of a rank: all maximal ones. Several cards have as much work as they can: the costliest
/// branch is opened, so that its topmost front is no part of any, until none is more than a card's share, and they are
/// given out the costliest first.
std::vector<std::vector<index_t>> choose_branches(const Analysis& analysis, const RankMapping& mapping, index_t rank,
                                                  index_t cards);

/// The task of a card that does its branches, and what follows.
struct BranchTask {
    index_t card = 0;
    double seconds = 0;
    count_t value_bytes = 0;  // entries of A, which go to the card before
    count_t most_bytes = 0, lasting_bytes = 0;  // that it holds meanwhile, and from then on
    struct Root {
        index_t first_front = 0, front = 0;  // its subtree
        count_t block_bytes = 0;  // of its contribution block, which goes to the host's memory
    };
    std::vector<Root> roots;
};

/// The time of one piece, by the model of factor_piece: levels, kernels that are started, operations and bytes.
template <class T>
BranchTask plan_branch_task(const Analysis& analysis, index_t card, const std::vector<index_t>& roots,
                            const PivotRule& rule);

}  // namespace frond::detail
