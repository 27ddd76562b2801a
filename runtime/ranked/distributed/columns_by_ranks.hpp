// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/steps.hpp"
#include "ranks/communicator.hpp"
#include "system/rows/row_cuts.hpp"

namespace frond::detail {

/// The order by nested dissection of PT-Scotch of a graph whose rows the ranks have, its elimination tree, and the entries
/// of the columns of L: the same on all ranks. Each rank needs memory for its rows, and for some numbers a column of all.
/// cuts: the vertices of each rank. compressed_vertices: that PT-Scotch ordered. Collective. @throws InvalidArgument, RuntimeError  on all ranks
CountedTree columns_by_ranks(Communicator& ranks, const RowCuts& cuts, const GraphPart& graph,
                             index_t& compressed_vertices);

}  // namespace frond::detail
