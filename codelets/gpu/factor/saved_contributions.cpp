// SPDX-License-Identifier: BSD-3-Clause
#include "factor/saved_contributions.hpp"

#include <algorithm>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {
namespace {

/// What the range uses that makes a block is gone before the block is written.
bool at_one_time(const SavedContribution& a, const SavedContribution& b) { return a.made < b.used && b.made < a.used; }

}  // namespace

SavedContributions::SavedContributions(const AssemblyTree& tree, const SubtreePlan& plan, count_t device_scalars)
    : in_turn_(plan.devices() == 1) {
    if (plan.ranges().size() == 1) return;
    find(tree, plan);
    std::vector<SavedContribution*> order;
    for (SavedContribution& block : blocks_) order.push_back(&block);
    std::stable_sort(order.begin(), order.end(), [](const SavedContribution* a, const SavedContribution* b) {
        return a->used - a->made < b->used - b->made;
    });
    std::vector<const SavedContribution*> on_device, on_host;
    for (SavedContribution* const block : order) {
        block->begin = lowest_place(*block, on_device);
        block->on_host = block->begin + block->scalars > device_scalars;
        if (block->on_host) block->begin = lowest_place(*block, on_host);
        count_t& all = block->on_host ? host_scalars_ : device_scalars_;
        all = std::max(all, block->begin + block->scalars);
        if (block->on_host) host_traffic_ += block->scalars;
        (block->on_host ? on_host : on_device).push_back(block);
    }
}

void SavedContributions::find(const AssemblyTree& tree, const SubtreePlan& plan) {
    std::vector<index_t> range_of(tree.fronts.size());
    for (std::size_t r = 0; r < plan.ranges().size(); ++r)
        std::fill(range_of.begin() + plan.ranges()[r].first_front, range_of.begin() + plan.ranges()[r].last_front + 1,
                  static_cast<index_t>(r));
    of_front_.assign(tree.fronts.size(), -1);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[at(f)];
        if (front.parent < 0 || front.ncb() == 0 || range_of[at(front.parent)] == range_of[at(f)]) continue;
        of_front_[at(f)] = static_cast<index_t>(blocks_.size());
        SavedContribution block;
        block.made = range_of[at(f)];
        block.used = range_of[at(front.parent)];
        block.scalars = round_up_8(static_cast<count_t>(front.ncb()) * front.ncb());
        blocks_.push_back(block);
    }
}

count_t SavedContributions::lowest_place(const SavedContribution& block,
                                         const std::vector<const SavedContribution*>& others) const {
    std::vector<const SavedContribution*> met;
    for (const SavedContribution* const other : others)
        if (!in_turn_ || at_one_time(block, *other)) met.push_back(other);
    std::sort(met.begin(), met.end(),
              [](const SavedContribution* a, const SavedContribution* b) { return a->begin < b->begin; });
    count_t begin = 0;
    for (const SavedContribution* const other : met) {
        if (begin + block.scalars <= other->begin) break;
        begin = std::max(begin, other->begin + other->scalars);
    }
    return begin;
}

}  // namespace frond::gpu
