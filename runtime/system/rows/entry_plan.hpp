// SPDX-License-Identifier: BSD-3-Clause
// Entries of A from wherever the ranks have them to row blocks.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "frond/base/large_vector.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/rank_part.hpp"
#include "ranks/parcels.hpp"
#include "system/rows/block_pattern.hpp"
#include "system/rows/positions.hpp"
#include "system/rows/reused.hpp"

namespace frond::detail {

/// a_ij of a rank goes to the rank that has row i and, for the symmetric kinds, mirrored to that of row j; once, where these
/// are the same rank, which then makes the mirror image. Entries that several ranks have are summed in the order of the
/// ranks: the same bits, however A is cut in blocks.
/// Made once for a pattern; new values then move alone.
template <class T>
class EntryPlan {
public:
    /// cuts: of the rows, the same on all ranks; null: blocks of about as many entries each. Collective.
    /// @throws what part() throws, InvalidMatrix, InvalidArgument: on all ranks
    EntryPlan(Communicator& ranks, const RankPart<T>& part, const RowCuts* cuts = nullptr);

    const std::shared_ptr<const BlockPattern>& pattern() const { return pattern_; }
    /// It is as the part that the plan was made of, but for values.
    bool suits(const RankPart<T>& part, const ParallelFor& parallel_for) const;
    /// True: its parts were declared so.
    bool is_declared(Symmetry declared, bool both_triangles) const {
        return declared == declared_ && both_triangles == both_triangles_;
    }
    /// The bytes that this rank holds: pattern, plan and values.
    count_t bytes() const;

    /// Values of the pattern, from those of the part in its canonical order. Collective.
    /// @throws InvalidMatrix  on all ranks: of both triangles, entries that do not agree; a diagonal that cannot be
    /// memory: null, or of calls before.
    std::shared_ptr<const LargeVector<T>> values(Communicator& ranks, std::span<const T> mine,
                                                 const ParallelFor& parallel_for = {},
                                                 ValueMemory<T>* memory = nullptr) const;
    /// Each value in the block is one that a rank gave, or its mirror image.
    bool each_comes_once() const { return each_comes_once_; }

private:
    std::vector<count_t> entries_of_rows(Communicator& ranks, const RankPart<T>& part) const;
    void send_pattern(Communicator& ranks, const SparseMatrix<T>& a);
    void receive_pattern(std::vector<BlockEntry> in);
    T given(std::span<const T> mine, count_t place) const;
    template <class Incoming, class Put>
    void put_incoming(count_t first, count_t end, const Incoming& incoming, const Put& put) const;
    /// [entries of the pattern] given: and, unless both triangles are given, of mirror images.
    template <class Incoming>
    void sum(const Incoming& incoming, const ParallelFor& parallel_for, LargeVector<T>& given,
             LargeVector<T>& mirrored) const;
    void agree(Communicator& ranks, LargeVector<T>& given, const LargeVector<T>& mirrored) const;
    std::vector<double> largest_of_lines(Communicator& ranks, const LargeVector<T>& sum) const;
    void check_pairs(const LargeVector<T>& given, const LargeVector<T>& mirrored,
                     const std::vector<double>& largest) const;
    void check_diagonal(const LargeVector<T>& value) const;

    Symmetry declared_ = Symmetry::general;
    bool both_triangles_ = false;
    bool mirrors_ = false;
    count_t entries_ = 0;
    std::uint64_t hash_ = 0;  // of the part
    std::shared_ptr<const BlockPattern> pattern_;
    Positions from_;  // in the part, ~position: sent mirrored
    std::vector<count_t> out_begin_, in_begin_;  // of the parcels to and from each rank
    Positions to_;  // in the block, ~position: mirrored, where both triangles are given
    static constexpr count_t no_image = -1;
    Positions image_to_;  // in the block, of the mirror image of what comes, or no_image; empty: nothing has one
    bool each_comes_once_ = false;  // no two of them go to the same position, and none is mirrored
};

}  // namespace frond::detail
