// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "factor/cut/piece_cut.hpp"
#include "frond/analysis/analysis.hpp"
#include "frond/analysis/pieces.hpp"

namespace frond::gpu {

/// Blocks are saved where the squares leave room.
PieceCut saved_cut(const AssemblyTree& tree, std::vector<SubtreePlan::Range> ranges, count_t most_scalars,
                   bool for_memory);

/// Cuts of one tree for one room, by limits of the squares of a piece.
class PossibleCuts {
public:
    PossibleCuts(const Analysis& analysis, const TreeShares& shares, count_t most_scalars);

    PieceCut whole() const { return saved(ranges_of(cut_into_pieces(tree_, shares_, {})), false); }
    PieceCut whole_but_by_one() const {
        return saved(ranges_of(cut_into_pieces(tree_, shares_for_memory_, {})), false);
    }
    std::vector<SubtreePlan::Range> limited(count_t limit) const;
    PieceCut saved(std::vector<SubtreePlan::Range> ranges, bool for_memory) const {
        return saved_cut(tree_, std::move(ranges), most_, for_memory);
    }
    bool fits(const PieceCut& cut) const;
    /// The limits that are tried for the squares of a piece, as far as the room holds them: shares of what the whole
    /// tree takes, which do not depend on the room, so that a cut that is tried with little room is tried with more
    /// room, too. A limit below what a root needs makes no other cut.
    std::vector<count_t> limits() const;

private:
    std::vector<SubtreePlan::Range> ranges_of(const std::vector<Piece>& pieces) const;
    bool is_by_strips(index_t first_front, index_t last_front, count_t limit) const;
    index_t strip_columns(index_t f, count_t limit) const;
    count_t least_of(const std::vector<Piece>& pieces, count_t limit) const;

    const Analysis& analysis_;
    const AssemblyTree& tree_;
    const TreeShares& shares_;
    TreeShares shares_for_memory_;
    count_t most_;
    std::vector<count_t> of_subtree_;
};

}  // namespace frond::gpu
