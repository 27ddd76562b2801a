// SPDX-License-Identifier: BSD-3-Clause
#include "factor/cut_tree.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "frond/analysis/front_panels.hpp"
#include "frond/analysis/pieces.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {
namespace {

SubtreePlan plan_of(const AssemblyTree& tree, const TreeShares& shares, const PieceLimit& limit) {
    std::vector<SubtreePlan::Range> ranges;
    for (const Piece& piece : cut_into_pieces(tree, shares, limit))
        ranges.push_back({piece.first_front, piece.last_front, piece.device});
    return {tree, std::move(ranges)};
}

count_t most_square_scalars(const SubtreePlan& plan) {
    count_t most = 0;
    for (index_t d = 0; d < plan.devices(); ++d) most = std::max(most, plan.square_scalars(d));
    return most;
}

}  // namespace

TreeCut cut_tree(const AssemblyTree& tree, const TreeShares& shares, count_t most_scalars) {
    SubtreePlan plan = plan_of(tree, shares, {});
    count_t largest = 0;
    for (const Front& front : tree.fronts)
        largest = std::max(largest, round_up_8(static_cast<count_t>(front.nfront) * square_ld(front.nfront)));
    const bool for_memory = most_square_scalars(plan) > most_scalars && largest <= most_scalars;
    if (for_memory) {
        const auto scalars = [&tree](index_t first, index_t last) {
            return SubtreePlan(tree, {{first, last}}).square_scalars();
        };
        plan = plan_of(tree, shares, {std::max(most_scalars / 2, largest), scalars});
    }
    std::vector<count_t> left;
    for (index_t d = 0; d < plan.devices(); ++d)
        left.push_back(std::max<count_t>(most_scalars - plan.square_scalars(d), 0));
    SavedBlocks saved(tree, plan, left);
    return {std::move(plan), std::move(saved), for_memory};
}

TreeCut cut_beside_cores(const AssemblyTree& tree, const Mapping& mapping, const CorePieces& pieces) {
    std::vector<SubtreePlan::Range> of_cores;
    for (const index_t s : pieces.subtrees)
        of_cores.push_back(
            {mapping.subtrees[at(s)].first_front, mapping.subtrees[at(s)].root_front, SubtreePlan::on_cores});
    SubtreePlan plan(tree, std::move(of_cores), pieces.depth);
    SavedBlocks saved(tree, plan, {std::numeric_limits<count_t>::max()});
    return {std::move(plan), std::move(saved), false};
}

}  // namespace frond::gpu
