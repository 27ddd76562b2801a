// SPDX-License-Identifier: BSD-3-Clause
// Entries of A from row blocks to the fronts and tiles that they belong to.
#pragma once

#include <vector>

#include "frond/base/large_vector.hpp"
#include "frond/analysis/analysis.hpp"
#include "frond/analysis/rank_mapping.hpp"
#include "frond/base/parallel_for.hpp"
#include "ranks/communicator.hpp"
#include "system/rows/block_pattern.hpp"
#include "system/rows/positions.hpp"

namespace frond::detail {

/// Made once for an analysis; new values then move alone, from the rank that has their row to the one that has their front
/// or tile. An entry of a symmetric kind may come from either triangle: row blocks have both.
class EntryRoute {
public:
    /// analysis: whole, or the part of this rank, with the rows of shared fronts. Collective.
    EntryRoute(Communicator& ranks, const BlockPattern& pattern, const RankMapping& mapping, const Analysis& analysis,
               const ParallelFor& parallel_for = {});
    /// Fills part.entry_map, but for `source`, which is empty before. Collective.
    static EntryRoute with_map(Communicator& ranks, const BlockPattern& pattern, const RankMapping& mapping,
                               Analysis& part);

    /// mine [entries of the entry map] := r_i a_ij c_j; value: of the pattern; scaling: of all rows and columns, or none.
    /// The largest magnitude over all ranks. Collective. @throws OutOfMemory  on all ranks
    template <class T>
    double bring(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value, const Scaling& scaling,
                 T* mine, const ParallelFor& parallel_for = {}) const;

    count_t incoming() const { return in_begin_.back(); }
    count_t bytes() const { return place_.bytes() + to_.bytes(); }

private:
    template <class T>
    struct Bringing;
    EntryRoute() = default;
    /// What belongs to this rank, in the order in which it comes.
    LargeVector<BlockEntry> send_places(Communicator& ranks, const BlockPattern& pattern, const RankMapping& mapping,
                                        const Analysis& analysis, const ParallelFor& parallel_for);

    std::vector<count_t> out_begin_, in_begin_;  // of the parcels to and from each rank
    Positions place_;  // of each entry of the row block in what is sent; -1: it is not, since its mirror image is
    Positions to_;  // of what comes, in the entry map
};

}  // namespace frond::detail
