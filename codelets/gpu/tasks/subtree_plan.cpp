// SPDX-License-Identifier: BSD-3-Clause
#include "subtree_plan.hpp"

#include <algorithm>

#include "frond/analysis/front_panels.hpp"

namespace frond::gpu {

SubtreePlan::SubtreePlan(const AssemblyTree& tree, const Subtree& subtree) : first_front_(subtree.first_front) {
    const index_t count = subtree.root_front - subtree.first_front + 1;
    depth_.resize(static_cast<std::size_t>(count));
    square_at_.resize(static_cast<std::size_t>(count));
    index_t deepest = 0;
    for (index_t f = subtree.root_front; f >= subtree.first_front; --f) {
        const index_t parent = tree.fronts[static_cast<std::size_t>(f)].parent;
        const bool root = parent < 0 || parent > subtree.root_front;
        depth_[local(f)] = root ? 0 : depth_[local(parent)] + 1;
        deepest = std::max(deepest, depth_[local(f)]);
    }
    levels_.resize(static_cast<std::size_t>(deepest) + 1);
    const auto level_of = [&](index_t f) -> Level& { return levels_[static_cast<std::size_t>(deepest - depth_[local(f)])]; };
    for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) ++level_of(f).last;
    for (std::size_t l = 1; l < levels_.size(); ++l) {
        levels_[l].first = levels_[l - 1].last;
        levels_[l].last += levels_[l].first;
    }
    std::vector<index_t> next;
    for (const Level& level : levels_) next.push_back(level.first);
    fronts_.resize(static_cast<std::size_t>(count));
    for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) {
        Level& level = level_of(f);
        const count_t order = tree.fronts[static_cast<std::size_t>(f)].nfront;
        fronts_[static_cast<std::size_t>(next[static_cast<std::size_t>(&level - levels_.data())]++)] = f;
        square_at_[local(f)] = level.scalars;
        level.largest_order = std::max(level.largest_order, static_cast<index_t>(order));
        level.scalars += round_up_8(order * square_ld(static_cast<index_t>(order)));
        count_t& room_scalars = room_scalars_[static_cast<std::size_t>(room(f))];
        room_scalars = std::max(room_scalars, level.scalars);
    }
}

StepCuts SubtreePlan::cuts_of(const Analysis& analysis) const {
    const auto tree_front = [this](index_t f) { return static_cast<std::size_t>(fronts_[static_cast<std::size_t>(f)]); };
    StepCuts cuts;
    cuts.splits_pair = [&analysis, tree_front](index_t f, index_t column) {
        const Front& front = analysis.tree.fronts[tree_front(f)];
        return !analysis.pair_with_next.empty() &&
               analysis.pair_with_next[static_cast<std::size_t>(front.first_column + column - 1)] != 0;
    };
    cuts.piece = [&analysis, tree_front](index_t f, index_t column) {
        const index_t grid = analysis.mapping.grid_of_front[tree_front(f)];
        if (grid < 0) return std::pair{index_t(0), analysis.tree.fronts[tree_front(f)].npiv};
        const std::vector<index_t>& cut = analysis.mapping.grids[static_cast<std::size_t>(grid)].cut;
        const auto end = std::upper_bound(cut.begin(), cut.end(), column);
        return std::pair{*(end - 1), *end};
    };
    return cuts;
}

}  // namespace frond::gpu
