// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "plans/subtree_plan.hpp"

namespace frond::gpu {

/// The contribution block of a front whose parent is in a later piece, [ncb, ncb]; or which has no parent here, so that
/// somebody else uses the block, after all pieces.
struct SavedBlock {
    index_t front = 0;
    index_t made = 0, used = 0;  // in which pieces; used: the number of pieces, where the front has no parent
    count_t scalars = 0;
    index_t room = 0;
    bool by_strips = false;  // written while that piece still reads others
};

/// Memory for one saved block after the other.
struct SavedRoom {
    count_t scalars = 0;
    bool on_host = false;
    index_t made = 0, used = 0;  // on which devices; made: SubtreePlan::on_cores too; used: SubtreePlan::by_all too

    bool is_on(index_t device) const {
        return !on_host && (made == device || used == device || used == SubtreePlan::by_all);
    }
};

/// Where these blocks lie from the end of the piece that makes them, or its beginning, to the end of the one that uses them: on the device
/// that makes them, and that uses them, as far as there is room, those that are soon used first; else on the host. With
/// several devices each has a room of its own, so that no device waits for another without need. A block of a front that
/// all devices do stays in the columns of that front, and is not among these.
class SavedBlocks {
public:
    /// device_scalars: for them, on each device.
    SavedBlocks(const AssemblyTree& tree, const SubtreePlan& plan, std::vector<count_t> device_scalars);

    /// Null: the front's block is used in its own piece, or it has none.
    const SavedBlock* of(index_t front) const {
        const index_t b = of_front_.empty() ? -1 : of_front_[static_cast<std::size_t>(front)];
        return b < 0 ? nullptr : &blocks_[static_cast<std::size_t>(b)];
    }
    const std::vector<SavedBlock>& blocks() const noexcept { return blocks_; }
    const std::vector<SavedRoom>& rooms() const noexcept { return rooms_; }
    count_t device_scalars(index_t device) const noexcept;
    count_t host_scalars() const noexcept;
    /// Scalars of all blocks that are saved on the host, some of them in the same room one after the other.
    count_t host_traffic() const noexcept;

private:
    void find(const AssemblyTree& tree, const SubtreePlan& plan);
    /// Into a room there that is free while the block is saved, or a new one. False: there is no room.
    bool put(SavedBlock& block, const SavedRoom& like, std::vector<count_t>& left);
    static bool has_left(const SavedRoom& room, count_t scalars, const std::vector<count_t>& left);
    static void take(const SavedRoom& room, count_t scalars, std::vector<count_t>& left);

    bool in_turn_;  // one piece at a time
    std::vector<SavedBlock> blocks_;
    std::vector<SavedRoom> rooms_;
    std::vector<std::vector<index_t>> in_room_;  // blocks
    std::vector<index_t> of_front_;  // number of its block, or -1; empty: nobody has one
};

}  // namespace frond::gpu
