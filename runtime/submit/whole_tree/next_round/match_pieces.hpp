// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "submit/whole_tree/next_round/kept_pieces.hpp"
#include "submit/whole_tree/tree_workspace.hpp"

namespace frond::detail {

/// Which pieces of a plan, and which parts of its factors, are as those of a round before.
template <class T>
class MatchedPieces {
public:
    /// next: its plan and its layout. number: of the fronts of the round before, in next.failed.analysis().
    MatchedPieces(const FailedRound<T>& round, const TreeWorkspace<T>& next, const std::vector<index_t>& number);

    /// [pieces] The same piece of the round before, with the same numbers in its fronts; -1: there is none.
    const std::vector<index_t>& piece_before() const noexcept { return piece_before_; }
    /// [parts] The part of the round before that has the same content; -1: there is none, or not all of it is the same.
    const std::vector<index_t>& part_before() const noexcept { return part_before_; }
    /// [fronts of the plan] their numbers in the round before.
    const std::vector<index_t>& front_before() const noexcept { return front_before_; }

private:
    void match_pieces(const std::vector<index_t>& number);
    void match_parts();
    void match_part(const void* place, const void* before);

    const FailedRound<T>& round_;
    const TreeWorkspace<T>& next_;
    std::vector<index_t> piece_before_, part_before_, front_before_;
};

}  // namespace frond::detail
