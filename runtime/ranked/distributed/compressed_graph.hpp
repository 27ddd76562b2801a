// SPDX-License-Identifier: BSD-3-Clause
// Vertices with the same neighbours are ordered as one, where one rank has them.
#pragma once

#include <vector>

#include "ranks/communicator.hpp"
#include "system/rows/row_cuts.hpp"

namespace frond::detail {

/// Groups of vertices of one rank with the same closed neighbourhood: the unknowns of one node of a mesh, say. Groups of
/// vertices of several ranks stay apart, which costs the ordering time alone.
struct CompressedRows {
    GraphPart graph;  // of the groups of this rank; weight: vertices in each
    std::vector<index_t> group_of;  // [n] of all vertices; groups are numbered rank by rank
    index_t groups = 0;  // of all ranks
};
CompressedRows compressed_rows(Communicator& ranks, const RowCuts& cuts, const GraphPart& graph);

/// The position of each vertex [n] from that of each group: the members of a group follow one another.
std::vector<index_t> positions_of_members(const CompressedRows& rows, const std::vector<index_t>& position_of_group);

}  // namespace frond::detail
