// SPDX-License-Identifier: BSD-3-Clause
#include "factor/cut_tree.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {
namespace {

constexpr count_t no_limit = std::numeric_limits<count_t>::max() / 4;

struct Piece {
    SubtreePlan::Range range;
    count_t scalars = 0;
    bool whole = true;  // of whole subtrees
};

/// Subtrees small enough and single fronts, children before parents.
class Cutter {
public:
    Cutter(const AssemblyTree& tree, const TreeShares& shares, count_t most_scalars)
        : tree_(tree), most_scalars_(most_scalars) {
        for (const SharedPart& part : shares.parts) {
            device_ = part.device;
            part.whole ? cut_subtree(part.root) : add({part.root, part.root, device_}, false);
        }
    }

    std::vector<Piece> pieces;

private:
    void add(const SubtreePlan::Range& range, bool whole) { pieces.push_back({range, scalars_of(range), whole}); }

    count_t scalars_of(SubtreePlan::Range range) const {
        range.device = 0;
        return most_scalars_ == no_limit ? 0 : SubtreePlan(tree_, {range}).square_scalars();
    }

    void cut_subtree(index_t root) {
        waiting_.emplace_back(root, false);
        while (!waiting_.empty()) {
            const auto [front, children_are_cut] = waiting_.back();
            waiting_.pop_back();
            children_are_cut ? add({front, front, device_}, false) : cut(front);
        }
    }

    void cut(index_t front) {
        const SubtreePlan::Range range{tree_.first_descendant[at(front)], front, device_};
        if (scalars_of(range) <= most_scalars_) return add(range, true);
        waiting_.emplace_back(front, true);
        for (count_t c = tree_.child_begin[at(front) + 1]; c-- > tree_.child_begin[at(front)];)
            waiting_.emplace_back(tree_.children[at(c)], false);
    }

    const AssemblyTree& tree_;
    count_t most_scalars_;
    index_t device_ = 0;
    std::vector<std::pair<index_t, bool>> waiting_;  // a front, and whether its children come before it
};

/// Subtrees side by side on a device are one range while they fit together.
std::vector<SubtreePlan::Range> ranges(const AssemblyTree& tree, const TreeShares& shares, count_t most_scalars) {
    std::vector<SubtreePlan::Range> joined;
    const Piece* last = nullptr;
    count_t together = 0;  // at most, of the last range
    const Cutter cutter(tree, shares, most_scalars);
    for (const Piece& piece : cutter.pieces) {
        const bool beside = last != nullptr && last->whole && piece.whole && last->range.device == piece.range.device &&
                            last->range.last_front + 1 == piece.range.first_front;
        const bool joins = beside && together + piece.scalars <= most_scalars;
        together = joins ? together + piece.scalars : piece.scalars;
        joins ? void(joined.back().last_front = piece.range.last_front) : joined.push_back(piece.range);
        last = &piece;
    }
    return joined;
}

count_t most_square_scalars(const SubtreePlan& plan) {
    count_t most = 0;
    for (index_t d = 0; d < plan.devices(); ++d) most = std::max(most, plan.square_scalars(d));
    return most;
}

}  // namespace

TreeCut cut_tree(const AssemblyTree& tree, const TreeShares& shares, count_t most_scalars) {
    SubtreePlan plan(tree, ranges(tree, shares, no_limit));
    count_t largest = 0;
    for (const Front& front : tree.fronts)
        largest = std::max(largest, round_up_8(static_cast<count_t>(front.nfront) * square_ld(front.nfront)));
    const bool for_memory = most_square_scalars(plan) > most_scalars && largest <= most_scalars;
    if (for_memory) plan = SubtreePlan(tree, ranges(tree, shares, std::max(most_scalars / 2, largest)));
    const count_t left = std::max<count_t>(most_scalars - plan.square_scalars(0), 0);
    SavedContributions saved(tree, plan, left);
    return {std::move(plan), std::move(saved), for_memory};
}

}  // namespace frond::gpu
