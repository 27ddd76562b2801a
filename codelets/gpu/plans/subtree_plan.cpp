// SPDX-License-Identifier: BSD-3-Clause
#include "subtree_plan.hpp"

#include <algorithm>

namespace frond::gpu {

namespace {

/// How far below a root of the range each of its fronts is.
std::vector<index_t> depths(const AssemblyTree& tree, const SubtreePlan::Range& range) {
    std::vector<index_t> depth(static_cast<std::size_t>(range.last_front - range.first_front) + 1, 0);
    for (index_t f = range.last_front; f >= range.first_front; --f) {
        const index_t parent = tree.fronts[static_cast<std::size_t>(f)].parent;
        if (parent >= 0 && parent <= range.last_front)
            depth[static_cast<std::size_t>(f - range.first_front)] =
                depth[static_cast<std::size_t>(parent - range.first_front)] + 1;
    }
    return depth;
}

}  // namespace

SubtreePlan::SubtreePlan(const AssemblyTree& tree, std::vector<Range> ranges)
    : first_front_(ranges.front().first_front), ranges_(std::move(ranges)) {
    index_t last_front = first_front_, devices = 1;
    for (const Range& range : ranges_) {
        first_front_ = std::min(first_front_, range.first_front);
        last_front = std::max(last_front, range.last_front);
        devices = std::max(devices, range.device + 1);
    }
    square_at_.resize(local(last_front) + 1);
    range_of_.assign(local(last_front) + 1, -1);
    fronts_.reserve(local(last_front) + 1);
    square_scalars_.resize(static_cast<std::size_t>(devices));
    for (std::size_t r = 0; r < ranges_.size(); ++r) {
        const Front& front = tree.fronts[static_cast<std::size_t>(ranges_[r].first_front)];
        const auto number = static_cast<index_t>(r);
        if (ranges_[r].device == by_all)
            add_by_all(front, ranges_[r], number);
        else if (ranges_[r].strip_columns > 0)
            add_by_strips(front, ranges_[r], number);
        else
            add(tree, ranges_[r], number);
    }
}

SubtreePlan::SubtreePlan(const AssemblyTree& tree, std::vector<Range> of_cores, index_t depth)
    : first_front_(0),
      ranges_(std::move(of_cores)),
      range_of_(tree.fronts.size(), -1),
      is_beside_cores_(true),
      square_at_(tree.fronts.size()),
      square_scalars_(1) {
    for (std::size_t r = 0; r < ranges_.size(); ++r)
        std::fill(range_of_.begin() + ranges_[r].first_front, range_of_.begin() + ranges_[r].last_front + 1,
                  static_cast<index_t>(r));
    add_split(tree, depth);
}

void SubtreePlan::add_split(const AssemblyTree& tree, index_t depth) {
    Range whole{0, tree.front_count() - 1, 0};
    const auto number = static_cast<index_t>(ranges_.size());
    add(tree, whole, number);
    const index_t cut = std::clamp(whole.last_level - depth, whole.first_level, whole.last_level);
    Range below = whole, above = whole;
    below.last_level = above.first_level = cut;
    if (below.first_level < cut) ranges_.push_back(below);
    if (cut == above.last_level) return;
    ranges_.push_back(above);
    for (index_t k = levels_[static_cast<std::size_t>(cut)].first; k < static_cast<index_t>(fronts_.size()); ++k)
        range_of_[static_cast<std::size_t>(fronts_[static_cast<std::size_t>(k)])] =
            static_cast<index_t>(ranges_.size()) - 1;
}

/// The fronts of the range that are in none yet. Its levels' squares lie in two rooms in turn.
void SubtreePlan::add(const AssemblyTree& tree, Range& range, index_t number) {
    const std::vector<index_t> depth = depths(tree, range);
    std::vector<std::vector<index_t>> by_depth;
    for (index_t f = range.first_front; f <= range.last_front; ++f) {
        if (range_of_[local(f)] >= 0) continue;
        range_of_[local(f)] = number;
        const auto d = static_cast<std::size_t>(depth[static_cast<std::size_t>(f - range.first_front)]);
        if (d >= by_depth.size()) by_depth.resize(d + 1);
        by_depth[d].push_back(f);
    }
    range.first_level = static_cast<index_t>(levels_.size());
    count_t room_scalars[2] = {0, 0};
    for (std::size_t d = by_depth.size(); d-- > 0;) {
        Level level;
        level.first = static_cast<index_t>(fronts_.size());
        for (const index_t f : by_depth[d]) {
            const index_t order = tree.fronts[static_cast<std::size_t>(f)].nfront;
            square_at_[local(f)] = level.scalars;
            level.largest_order = std::max(level.largest_order, order);
            level.scalars += round_up_8(static_cast<count_t>(order) * square_ld(order));
        }
        fronts_.insert(fronts_.end(), by_depth[d].begin(), by_depth[d].end());
        level.last = static_cast<index_t>(fronts_.size());
        room_scalars[d % 2] = std::max(room_scalars[d % 2], level.scalars);
        levels_.push_back(level);
    }
    range.last_level = static_cast<index_t>(levels_.size());
    for (std::size_t d = 1; d < by_depth.size(); d += 2) {
        Level& level = levels_[static_cast<std::size_t>(range.last_level) - 1 - d];
        level.begin = room_scalars[0];
        for (const index_t f : by_depth[d]) square_at_[local(f)] += level.begin;
    }
    count_t& most = square_scalars_[static_cast<std::size_t>(range.device)];
    most = std::max(most, room_scalars[0] + room_scalars[1]);
}

void SubtreePlan::add_by_strips(const Front& front, Range& range, index_t number) {
    const count_t ld = square_ld(front.nfront), room = round_up_8(ld * range.strip_columns);
    Level level;
    level.first = static_cast<index_t>(fronts_.size());
    level.last = level.first + 1;
    level.scalars = round_up_8(ld * front.npiv);
    level.largest_order = front.nfront;
    level.first_strip = static_cast<index_t>(strips_.size());
    for (index_t first = front.npiv, turn = 0; first < front.nfront; first += range.strip_columns, turn = 1 - turn)
        strips_.push_back(
            {level.first, first, std::min(first + range.strip_columns, front.nfront), level.scalars + turn * room});
    level.last_strip = static_cast<index_t>(strips_.size());
    range.first_level = static_cast<index_t>(levels_.size());
    range.last_level = range.first_level + 1;
    square_at_[local(range.first_front)] = 0;
    range_of_[local(range.first_front)] = number;
    fronts_.push_back(range.first_front);
    levels_.push_back(level);
    count_t& most = square_scalars_[static_cast<std::size_t>(range.device)];
    most = std::max(most, scalars_by_strips(front, range.strip_columns));
}

void SubtreePlan::add_by_all(const Front& front, Range& range, index_t number) {
    SharedFront shared{number,
                       range.first_front,
                       range.block_cut,
                       0,
                       0,
                       static_cast<index_t>(fronts_.size()),
                       static_cast<index_t>(strips_.size()),
                       static_cast<count_t>(front.nfront) * square_ld(front.nfront)};
    range.first_level = static_cast<index_t>(levels_.size());
    for (index_t b = 0; b < shared.blocks(); ++b) {
        const index_t first = shared.cut[static_cast<std::size_t>(b)];
        if (first >= front.npiv) {
            strips_.push_back({shared.first_square, first, first + shared.columns(b), 0});
            continue;
        }
        ++shared.own_blocks;
        if (first > range.tail) continue;  // joined to the one that begins there
        if (first < range.tail) ++shared.tail;
        Level level;
        level.first = static_cast<index_t>(fronts_.size());
        level.last = level.first + 1;
        level.scalars = round_up_8(square_ld(front.nfront) * static_cast<count_t>(shared.columns(b)));
        level.largest_order = front.nfront;
        level.first_strip = level.last_strip = static_cast<index_t>(strips_.size());
        levels_.push_back(level);
        fronts_.push_back(range.first_front);
    }
    range.last_level = static_cast<index_t>(levels_.size());
    range_of_[local(range.first_front)] = number;
    shared_.push_back(std::move(shared));
}

index_t SubtreePlan::end_of_ordered_rows(const Analysis& analysis, index_t tree_front, index_t first) {
    const index_t grid = analysis.mapping.grid_of_front[static_cast<std::size_t>(tree_front)];
    if (grid < 0) return analysis.tree.fronts[static_cast<std::size_t>(tree_front)].npiv;
    const std::vector<index_t>& cut = analysis.mapping.grids[static_cast<std::size_t>(grid)].cut;
    return *std::upper_bound(cut.begin(), cut.end(), first);
}

StepCuts SubtreePlan::cuts_of(const Analysis& analysis) const {
    const auto tree_front = [this](index_t f) {
        return static_cast<std::size_t>(fronts_[static_cast<std::size_t>(f)]);
    };
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
