// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "frond/solver.hpp"
#include "row_blocks/row_plan.hpp"

namespace frond::detail {

/// The caller's block as a view, with a leading dimension. @throws InvalidArgument
template <class T, class U>
DenseView<U> rank_view(const BlockView<U>& v, const char* name);

/// The numbers of the rows that this rank has of a block. rows: of this rank; map: its row_map. Collective.
/// @throws InvalidArgument  on all ranks: some have a map and others, with rows, have none; without maps, another number
///         of rows than the order
std::vector<index_t> rows_of_block(Communicator& ranks, const RowCuts& cuts, index_t rows, const index_t* map,
                                   const std::string& name);

}  // namespace frond::detail
