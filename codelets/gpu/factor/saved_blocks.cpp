// SPDX-License-Identifier: BSD-3-Clause
#include "factor/saved_blocks.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {
namespace {

/// What the piece uses that makes a block is gone before the block is written, but by strips.
bool is_written_before(const SavedBlock& a, const SavedBlock& b) {
    return a.made < b.used || (a.made == b.used && a.by_strips);
}

bool at_one_time(const SavedBlock& a, const SavedBlock& b) {
    return is_written_before(a, b) && is_written_before(b, a);
}

bool leaves_block(const Front& front) { return front.parent < 0 && front.ncb() > 0; }

bool leaves_blocks(const AssemblyTree& tree) {
    return std::any_of(tree.fronts.begin(), tree.fronts.end(), leaves_block);
}

bool is_alike(const SavedRoom& a, const SavedRoom& b) {
    return a.on_host == b.on_host && (a.on_host || (a.made == b.made && a.used == b.used));
}

}  // namespace

SavedBlocks::SavedBlocks(const AssemblyTree& tree, const SubtreePlan& plan, std::vector<count_t> left)
    : in_turn_(plan.devices() == 1) {
    if (plan.ranges().size() == 1 && !leaves_blocks(tree)) return;
    find(tree, plan);
    std::vector<index_t> order(blocks_.size());
    std::iota(order.begin(), order.end(), 0);
    const auto pieces_between = [this](index_t b) { return blocks_[at(b)].used - blocks_[at(b)].made; };
    std::stable_sort(order.begin(), order.end(),
                     [&](index_t a, index_t b) { return pieces_between(a) < pieces_between(b); });
    for (const index_t b : order) {
        SavedBlock& block = blocks_[at(b)];
        const index_t made = plan.ranges()[at(block.made)].device;
        const bool is_left = block.used == static_cast<index_t>(plan.ranges().size());
        SavedRoom room{0, false, made, is_left ? made : plan.ranges()[at(block.used)].device};
        if (!put(block, room, left)) {
            room.on_host = true;
            static_cast<void>(put(block, room, left));
        }
    }
}

void SavedBlocks::find(const AssemblyTree& tree, const SubtreePlan& plan) {
    const std::vector<index_t>& piece_of = plan.range_of_fronts();
    of_front_.assign(tree.fronts.size(), -1);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[at(f)];
        const bool is_left = leaves_block(front);
        if (front.ncb() == 0) continue;
        if (!is_left && plan.share_squares(piece_of[at(f)], piece_of[at(front.parent)])) continue;
        if (plan.ranges()[at(piece_of[at(f)])].device == SubtreePlan::by_all) continue;
        of_front_[at(f)] = static_cast<index_t>(blocks_.size());
        const count_t scalars = round_up_8(static_cast<count_t>(front.ncb()) * front.ncb());
        const bool by_strips = plan.ranges()[at(piece_of[at(f)])].strip_columns > 0;
        const index_t used = is_left ? static_cast<index_t>(plan.ranges().size()) : piece_of[at(front.parent)];
        blocks_.push_back({f, piece_of[at(f)], used, scalars, -1, by_strips});
    }
}

bool SavedBlocks::has_left(const SavedRoom& room, count_t scalars, const std::vector<count_t>& left) {
    for (std::size_t d = 0; d < left.size(); ++d)
        if (room.is_on(static_cast<index_t>(d)) && scalars > left[d]) return false;
    return true;
}

void SavedBlocks::take(const SavedRoom& room, count_t scalars, std::vector<count_t>& left) {
    for (std::size_t d = 0; d < left.size(); ++d)
        if (room.is_on(static_cast<index_t>(d))) left[d] -= scalars;
}

/// Among free rooms, the one that has to grow least, and of those that need not, the smallest.
bool SavedBlocks::put(SavedBlock& block, const SavedRoom& like, std::vector<count_t>& left) {
    index_t best = -1;
    const auto worse = [&block](count_t scalars) {
        return std::pair{std::max<count_t>(block.scalars - scalars, 0), scalars};
    };
    for (std::size_t r = 0; r < rooms_.size() && in_turn_; ++r) {
        const bool is_free = std::none_of(in_room_[r].begin(), in_room_[r].end(),
                                          [&](index_t b) { return at_one_time(block, blocks_[at(b)]); });
        const bool is_better = best < 0 || worse(rooms_[r].scalars) < worse(rooms_[at(best)].scalars);
        if (is_free && is_better && is_alike(rooms_[r], like)) best = static_cast<index_t>(r);
    }
    const count_t more = block.scalars - (best < 0 ? 0 : std::min(block.scalars, rooms_[at(best)].scalars));
    if (!has_left(like, more, left)) return false;
    if (best < 0) {
        best = static_cast<index_t>(rooms_.size());
        rooms_.push_back(like);
        in_room_.emplace_back();
    }
    rooms_[at(best)].scalars += more;
    take(like, more, left);
    block.room = best;
    in_room_[at(best)].push_back(of_front_[at(block.front)]);
    return true;
}

count_t SavedBlocks::device_scalars(index_t device) const noexcept {
    count_t scalars = 0;
    for (const SavedRoom& room : rooms_)
        if (room.is_on(device)) scalars += room.scalars;
    return scalars;
}

count_t SavedBlocks::host_scalars() const noexcept {
    count_t scalars = 0;
    for (const SavedRoom& room : rooms_) scalars += room.on_host ? room.scalars : 0;
    return scalars;
}

count_t SavedBlocks::host_traffic() const noexcept {
    count_t scalars = 0;
    for (const SavedBlock& block : blocks_) scalars += rooms_[at(block.room)].on_host ? block.scalars : 0;
    return scalars;
}

}  // namespace frond::gpu
