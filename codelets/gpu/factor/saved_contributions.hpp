// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "tasks/subtree_plan.hpp"

namespace frond::gpu {

/// The contribution block of a front whose parent is in a later range, [ncb, ncb].
struct SavedContribution {
    index_t made = 0, used = 0;  // in which ranges
    count_t scalars = 0;
    bool on_host = false;
    count_t begin = 0;  // in the device's or the host's room for such blocks
};

/// Where these blocks lie from the end of the range that makes them to the beginning of the one that uses them:
/// on the first device as far as there is room, those that are soon used first. With several devices each has a place
/// of its own, since nobody knows which of their ranges are done at one time.
class SavedContributions {
public:
    /// device_scalars: room for them there.
    SavedContributions(const AssemblyTree& tree, const SubtreePlan& plan, count_t device_scalars);

    /// Null: the front hands none on.
    const SavedContribution* of(index_t front) const {
        const index_t b = of_front_.empty() ? -1 : of_front_[static_cast<std::size_t>(front)];
        return b < 0 ? nullptr : &blocks_[static_cast<std::size_t>(b)];
    }
    count_t device_scalars() const noexcept { return device_scalars_; }
    count_t host_scalars() const noexcept { return host_scalars_; }
    /// Scalars of all blocks that wait on the host, some of them in the same place one after the other.
    count_t host_traffic() const noexcept { return host_traffic_; }

private:
    void find(const AssemblyTree& tree, const SubtreePlan& plan);
    /// The lowest place where it meets none of `others` while they are there.
    count_t lowest_place(const SavedContribution& block, const std::vector<const SavedContribution*>& others) const;

    bool in_turn_;  // one range at a time
    std::vector<SavedContribution> blocks_;
    std::vector<index_t> of_front_;  // number of its block, or -1; empty: nobody has one
    count_t device_scalars_ = 0, host_scalars_ = 0, host_traffic_ = 0;
};

}  // namespace frond::gpu
