// SPDX-License-Identifier: BSD-3-Clause
#include "subtree_plan.hpp"

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
        level.scalars += round_up_8(order * order);
        count_t& room_scalars = room_scalars_[static_cast<std::size_t>(room(f))];
        room_scalars = std::max(room_scalars, level.scalars);
    }
}

}  // namespace frond::gpu
