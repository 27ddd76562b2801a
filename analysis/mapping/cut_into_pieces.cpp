// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "frond/analysis/pieces.hpp"
#include "frond/base/vector_index.hpp"

namespace frond {
namespace {

struct SizedPiece {
    Piece piece;
    count_t scalars = 0;
    bool whole = true;  // of whole subtrees
};

/// Subtrees small enough and single fronts, children before parents.
class Cutter {
public:
    Cutter(const AssemblyTree& tree, const TreeShares& shares, const PieceLimit& limit) : tree_(tree), limit_(limit) {
        for (const SharedPart& part : shares.parts) {
            device_ = part.device;
            part.whole ? cut_subtree(part.root) : add({part.root, part.root, device_}, false);
        }
    }

    std::vector<SizedPiece> pieces;

private:
    void add(const Piece& piece, bool whole) { pieces.push_back({piece, scalars_of(piece), whole}); }

    count_t scalars_of(const Piece& piece) const {
        return limit_.scalars ? limit_.scalars(piece.first_front, piece.last_front) : 0;
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
        const Piece piece{tree_.first_descendant[at(front)], front, device_};
        if (piece.first_front == front || scalars_of(piece) <= limit_.most_scalars) return add(piece, true);
        waiting_.emplace_back(front, true);
        for (count_t c = tree_.child_begin[at(front) + 1]; c-- > tree_.child_begin[at(front)];)
            waiting_.emplace_back(tree_.children[at(c)], false);
    }

    const AssemblyTree& tree_;
    const PieceLimit& limit_;
    index_t device_ = 0;
    std::vector<std::pair<index_t, bool>> waiting_;  // a front, and whether its children come before it
};

}  // namespace

std::vector<Piece> cut_into_pieces(const AssemblyTree& tree, const TreeShares& shares, const PieceLimit& limit) {
    std::vector<Piece> joined;
    const SizedPiece* last = nullptr;
    count_t together = 0;  // at most, of the last of joined
    const Cutter cutter(tree, shares, limit);
    for (const SizedPiece& next : cutter.pieces) {
        const bool beside = last != nullptr && last->whole && next.whole && last->piece.device == next.piece.device &&
                            last->piece.last_front + 1 == next.piece.first_front;
        const bool joins = beside && together + next.scalars <= limit.most_scalars;
        together = joins ? together + next.scalars : next.scalars;
        joins ? void(joined.back().last_front = next.piece.last_front) : joined.push_back(next.piece);
        last = &next;
    }
    return joined;
}

}  // namespace frond
