// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/matrix/sparse_matrix.hpp"
#include "ranked/distributed/subtrees_of_ranks.hpp"
#include "ranks/communicator.hpp"
#include "system/rows/row_cuts.hpp"

namespace frond::detail {

/// [n] Of the columns of this rank's subtrees, and of those of all fronts on tiles, the rows of the graph that are past the
/// columns of their front, by position; other columns are empty. cuts, graph: the rows of the graph that each rank has.
/// Collective.
Pattern exchanged_columns(Communicator& ranks, const RowCuts& cuts, const GraphPart& graph,
                          const std::vector<index_t>& position, const SubtreesOfRanks& dealt, const AssemblyTree& tree);

}  // namespace frond::detail
