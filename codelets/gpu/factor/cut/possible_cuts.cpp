// SPDX-License-Identifier: BSD-3-Clause
#include "factor/cut/possible_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "factor/cut/square_sizes.hpp"
#include "factor/shared_front/column_cuts.hpp"
#include "frond/base/vector_index.hpp"
#include "kernels/level_batch/contribution_strip.hpp"

namespace frond::gpu {
namespace {

/// Products of strips with so many columns are as quick as of wider ones; fewer where there is no room.
constexpr index_t usual_strip = 256, least_strip = 8;

/// Most rows among which pivots of the front are put in order.
index_t ordered_rows(const Analysis& analysis, index_t f) {
    index_t rows = 0;
    for (index_t first = 0, last = 0; first < analysis.tree.fronts[at(f)].npiv; first = last) {
        last = SubtreePlan::end_of_ordered_rows(analysis, f, first);
        rows = std::max(rows, last - first);
    }
    return rows;
}

/// Fronts that all devices do need memory on each of them for the whole front: where there is little, none is done so.
TreeShares on_the_first(TreeShares shares) {
    for (SharedPart& part : shares.parts)
        if (part.device == SharedPart::by_all) part.device = 0;
    return shares;
}

}  // namespace

PieceCut saved_cut(const AssemblyTree& tree, std::vector<SubtreePlan::Range> ranges, count_t most_scalars,
                   bool for_memory) {
    SubtreePlan plan(tree, std::move(ranges));
    std::vector<count_t> left;
    for (index_t d = 0; d < plan.devices(); ++d)
        left.push_back(std::max<count_t>(most_scalars - plan.square_scalars(d), 0));
    SavedBlocks blocks(tree, plan, left);
    return {std::move(plan), std::move(blocks), for_memory};
}

PossibleCuts::PossibleCuts(const Analysis& analysis, const TreeShares& shares, count_t most_scalars)
    : analysis_(analysis),
      tree_(analysis.tree),
      shares_(shares),
      shares_for_memory_(on_the_first(shares)),
      most_(most_scalars),
      of_subtree_(scalars_of_subtrees(analysis.tree)) {}

std::vector<SubtreePlan::Range> PossibleCuts::limited(count_t limit) const {
    const auto cut = [&] {
        return cut_into_pieces(tree_, shares_for_memory_, {limit, [this](index_t first, index_t last) {
                                                               return first == last
                                                                          ? square_scalars(tree_.fronts[at(last)])
                                                                          : of_subtree_[at(last)];
                                                           }});
    };
    std::vector<Piece> pieces = cut();
    // What single fronts take anyway, subtrees may take, too.
    if (const count_t least = least_of(pieces, limit); least > limit) {
        limit = least;
        pieces = cut();
    }
    std::vector<SubtreePlan::Range> ranges = ranges_of(pieces);
    for (SubtreePlan::Range& range : ranges)
        if (is_by_strips(range.first_front, range.last_front, limit))
            range.strip_columns = strip_columns(range.first_front, limit);
    return ranges;
}

bool PossibleCuts::fits(const PieceCut& cut) const {
    for (index_t d = 0; d < cut.plan.devices(); ++d)
        if (cut.plan.square_scalars(d) + cut.plan.shared_scalars() > most_) return false;
    return true;
}

std::vector<count_t> PossibleCuts::limits() const {
    constexpr double shares_of_half = 8, halves = 16;
    count_t whole = 0, root = 0;
    for (const SharedPart& part : shares_.parts) {
        whole += part.whole ? of_subtree_[at(part.root)] : 0;
        const Front& front = tree_.fronts[at(part.root)];
        root =
            std::max(root, front.ncb() > least_strip ? scalars_by_strips(front, least_strip) : square_scalars(front));
    }
    std::vector<count_t> limits;
    for (double k = 1; k <= shares_of_half * halves; ++k) {
        const auto limit = static_cast<count_t>(static_cast<double>(whole) * std::exp2(-k / shares_of_half));
        if (limit <= most_) limits.push_back(limit);
        if (limit <= root) break;
    }
    return limits;
}

std::vector<SubtreePlan::Range> PossibleCuts::ranges_of(const std::vector<Piece>& pieces) const {
    std::vector<SubtreePlan::Range> ranges;
    for (const Piece& piece : pieces) {
        ranges.push_back({piece.first_front, piece.last_front, piece.device});
        if (piece.device != SubtreePlan::by_all) continue;
        ranges.back().block_cut = column_blocks(analysis_, piece.last_front);
        ranges.back().tail = first_of_tail(analysis_, piece.last_front, ranges.back().block_cut);
    }
    return ranges;
}

bool PossibleCuts::is_by_strips(index_t first_front, index_t last_front, count_t limit) const {
    const Front& front = tree_.fronts[at(last_front)];
    const bool may_be =
        analysis_.factorization != Factorization::lu || ordered_rows(analysis_, last_front) <= most_ordered_rows;
    return first_front == last_front && front.ncb() > least_strip && square_scalars(front) > limit && may_be;
}

/// How many columns a strip has if the front by strips is to fit into the limit.
index_t PossibleCuts::strip_columns(index_t f, count_t limit) const {
    const Front& front = tree_.fronts[at(f)];
    const count_t ld = square_ld(front.nfront), left = limit - scalars_by_strips(front, 0);
    const count_t columns = std::max<count_t>(left, 0) / (2 * round_up_8(ld * least_strip)) * least_strip;
    return static_cast<index_t>(std::clamp<count_t>(columns, least_strip, front.ncb()));
}

/// The least squares that single fronts need, as far as they pass the limit.
count_t PossibleCuts::least_of(const std::vector<Piece>& pieces, count_t limit) const {
    count_t least = 0;
    for (const Piece& piece : pieces) {
        if (piece.first_front != piece.last_front) continue;
        const Front& front = tree_.fronts[at(piece.last_front)];
        count_t scalars = square_scalars(front);
        if (is_by_strips(piece.first_front, piece.last_front, limit))
            scalars = std::min(scalars,
                               scalars_by_strips(front, std::min(usual_strip, strip_columns(piece.last_front, most_))));
        least = std::max(least, scalars);
    }
    return least;
}

}  // namespace frond::gpu
