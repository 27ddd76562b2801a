// SPDX-License-Identifier: BSD-3-Clause
// Contribution rows of fronts: those of fronts on tiles and of the roots of subtrees on all ranks, the others on one.
#pragma once

#include <memory>
#include <vector>

#include "frond/analysis/steps.hpp"
#include "ranked/distributed/subtrees_of_ranks.hpp"
#include "ranks/communicator.hpp"
#include "system/rows/row_cuts.hpp"

namespace frond::detail {

/// Dealt out in intervals of about as many rows, before anything is known of the ranks' work.
SubtreesOfRanks deal_subtrees(const AssemblyTree& tree, std::vector<Subtree> subtrees, index_t ranks);

/// Fills rows and relative rows of what this rank has, and of what all have; rows_begin of other fronts is the end of the
/// list. cuts, graph: the rows of the graph that each rank has; position [n]. Collective.
void list_rows_by_ranks(Communicator& ranks, const RowCuts& cuts, const GraphPart& graph,
                        const std::vector<index_t>& position, const SubtreesOfRanks& dealt, AssemblyTree& tree);

/// Rows below the roots go to the ranks of `to`. Collective.
void move_rows(Communicator& ranks, const SubtreesOfRanks& from, const SubtreesOfRanks& to, AssemblyTree& tree);

}  // namespace frond::detail
