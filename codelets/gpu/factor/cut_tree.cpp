// SPDX-License-Identifier: BSD-3-Clause
#include "factor/cut_tree.hpp"

#include <utility>

namespace frond::gpu {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

struct Piece {
    SubtreePlan::Range range;
    count_t scalars = 0;
    bool whole = true;  // of whole subtrees
};

count_t scalars_of(const AssemblyTree& tree, SubtreePlan::Range range) {
    return SubtreePlan(tree, {range}).square_scalars();
}

/// Subtrees small enough and single fronts, in postorder.
class Cutter {
public:
    Cutter(const AssemblyTree& tree, count_t most_scalars) : tree_(tree), most_scalars_(most_scalars) {
        for (index_t f = tree.front_count() - 1; f >= 0; --f)
            if (tree.fronts[at(f)].parent < 0) waiting_.emplace_back(f, false);
        while (!waiting_.empty()) {
            const auto [front, children_are_cut] = waiting_.back();
            waiting_.pop_back();
            children_are_cut ? add_single(front) : cut(front);
        }
    }

    std::vector<Piece> pieces;

private:
    void add_single(index_t front) {
        const SubtreePlan::Range range{front, front};
        pieces.push_back({range, scalars_of(tree_, range), false});
    }

    void cut(index_t front) {
        const SubtreePlan::Range range{tree_.first_descendant[at(front)], front};
        const count_t scalars = scalars_of(tree_, range);
        if (scalars <= most_scalars_) return pieces.push_back({range, scalars, true});
        waiting_.emplace_back(front, true);
        for (count_t c = tree_.child_begin[at(front) + 1]; c-- > tree_.child_begin[at(front)];)
            waiting_.emplace_back(tree_.children[at(c)], false);
    }

    const AssemblyTree& tree_;
    count_t most_scalars_;
    std::vector<std::pair<index_t, bool>> waiting_;  // a front, and whether its children come before it
};

}  // namespace

std::vector<SubtreePlan::Range> cut_tree(const AssemblyTree& tree, count_t most_scalars) {
    std::vector<SubtreePlan::Range> ranges;
    const Piece* last = nullptr;
    count_t together = 0;  // at most, of the last range
    const Cutter cutter(tree, most_scalars);
    for (const Piece& piece : cutter.pieces) {
        const bool joins = last != nullptr && last->whole && piece.whole && together + piece.scalars <= most_scalars;
        together = joins ? together + piece.scalars : piece.scalars;
        joins ? void(ranges.back().last_front = piece.range.last_front) : ranges.push_back(piece.range);
        last = &piece;
    }
    return ranges;
}

}  // namespace frond::gpu
