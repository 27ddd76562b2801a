// SPDX-License-Identifier: BSD-3-Clause
// Entries of A from row blocks to the fronts and tiles that they belong to.
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/rank_mapping.hpp"
#include "ranks/communicator.hpp"
#include "row_blocks/block_pattern.hpp"
#include "row_blocks/positions.hpp"

namespace frond::detail {

/// Made once for an analysis; new values then move alone, from the rank that has their row to the one that has their front
/// or tile. A diagonal entry of the tree may come from either triangle: row blocks have both.
class EntryRoute {
public:
    /// part: with the rows of fronts on tiles and of what this rank has; its entry_map is filled, but for `source`.
    /// position [n]: of rows and columns. Collective.
    EntryRoute(Communicator& ranks, const BlockPattern& pattern, const std::vector<index_t>& position,
               const RankMapping& mapping, Analysis& part);

    /// mine [entries of the entry map] := r_i a_ij c_j; value: of the pattern; scaling: of all rows and columns, or none.
    /// The largest magnitude over all ranks. Collective. @throws OutOfMemory  on all ranks
    template <class T>
    double bring(Communicator& ranks, const BlockPattern& pattern, const std::vector<T>& value, const Scaling& scaling,
                 T* mine) const;

    count_t incoming() const { return in_begin_.back(); }
    count_t bytes() const { return place_.bytes() + to_.bytes(); }

private:
    std::vector<count_t> out_begin_, in_begin_;  // of the parcels to and from each rank
    Positions place_;  // of each entry of the row block in what is sent; -1: it is not, since its mirror image is
    Positions to_;  // of what comes, in the entry map
};

}  // namespace frond::detail
