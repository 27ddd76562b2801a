// SPDX-License-Identifier: BSD-3-Clause
// Rows of a dense block between any distribution and row blocks.
#pragma once

#include <string>
#include <vector>

#include "frond/cpu/dense_view.hpp"
#include "ranks/parcels.hpp"
#include "system/rows/row_cuts.hpp"

namespace frond::detail {

/// How often a row of the whole block may be with a rank.
enum class RowsGiven : bool { any, once };

/// Which row of the caller goes to which row block. Made by one exchange of row numbers where ranks have any rows.
class RowPlan {
public:
    /// rows: numbers of this rank's rows. name: for messages, such as "B". Collective.
    /// @throws InvalidArgument  on all ranks: a row outside the matrix; with `once`, a row that no rank has, or two
    RowPlan(Communicator& ranks, const RowCuts& cuts, const std::vector<index_t>& rows, RowsGiven given,
            const std::string& name);

    /// Rank r of the callers has the rows callers.first[r] .. callers.first[r + 1], so that nobody asks another. Collective.
    RowPlan(Communicator& ranks, const RowCuts& cuts, const RowCuts& callers);

    /// block [rows of this rank's block, cols] := rows of local [rows given, cols] of all ranks. Collective.
    template <class T>
    void to_blocks(Communicator& ranks, DenseView<const T> local, DenseView<T> block) const;
    /// local := rows of block. Collective.
    template <class T>
    void from_blocks(Communicator& ranks, DenseView<const T> block, DenseView<T> local) const;

private:
    void check_once(Communicator& ranks, const RowCuts& cuts, const std::string& name) const;

    bool is_consecutive_ = false;  // all rows in their order, so that there are no lists of them
    std::vector<index_t> local_;  // rows of the caller in the order of the parcels
    std::vector<count_t> local_begin_;
    Parcels<index_t> block_;  // rows of the block that come from, or go to, each rank
};

/// Brings all rows of a block from row blocks to rank 0, and back. whole [order, cols] on rank 0. Collective.
template <class T>
void gather_rows(Communicator& ranks, const RowCuts& cuts, DenseView<const T> block, DenseView<T> whole);
template <class T>
void scatter_rows(Communicator& ranks, const RowCuts& cuts, DenseView<const T> whole, DenseView<T> block);

}  // namespace frond::detail
