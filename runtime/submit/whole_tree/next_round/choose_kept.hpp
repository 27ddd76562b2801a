// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "submit/whole_tree/next_round/match_pieces.hpp"

namespace frond::detail {

/// Where the round before has something: in a part of its factors, in a room of its blocks, in a copy of a block that
/// went to the host before its room was used again, or saved from a round before it.
struct SourceOfRange {
    enum class Of : std::uint8_t { part, room, copy, saved } of = Of::part;
    index_t number = 0;  // copy: of the front
    count_t first = 0;  // byte there
};

/// Which pieces need no task in the next round, and what of theirs pieces with a task need.
struct ChosenPieces {
    std::vector<char> is_kept;  // [pieces]
    std::vector<index_t> part_before;  // see KeptPieces
    std::vector<SavedRange> ranges;
    std::vector<SourceOfRange> sources;  // of these
};

/// As many as possible: those that match, without those whose contribution blocks are needed and gone. next: with the
/// places of its factors.
template <class T>
ChosenPieces choose_kept(const FailedRound<T>& round, const TreeWorkspace<T>& next, const MatchedPieces<T>& matched);

}  // namespace frond::detail
