// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/tree/segment_moves.hpp"

#include "frond/base/vector_index.hpp"

namespace frond::detail {

SegmentMoves::SegmentMoves(index_t segments, index_t ranks, index_t leader)
    : ranks_(ranks), leader_(leader), last_(at(segments), leader), has_(at(segments) * at(ranks), 0) {
    for (index_t s = 0; s < segments; ++s) has(s, leader) = 1;
}

void SegmentMoves::read(index_t segment, index_t rank, const Move& move) {
    if (has(segment, rank) != 0) return;
    move(segment, last_[at(segment)], rank, messages_++);
    has(segment, rank) = 1;
}

void SegmentMoves::change(index_t segment, index_t rank, const Move& move) {
    read(segment, rank, move);
    for (index_t r = 0; r < ranks_; ++r) has(segment, r) = r == rank ? 1 : 0;
    last_[at(segment)] = rank;
}

void SegmentMoves::gather(const Move& move) {
    for (index_t s = 0; s < static_cast<index_t>(last_.size()); ++s) change(s, leader_, move);
}

}  // namespace frond::detail
