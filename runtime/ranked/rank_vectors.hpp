// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "frond/solver.hpp"
#include "system/rows/row_plan.hpp"

namespace frond::detail {

/// The caller's block as a view, with a leading dimension. @throws InvalidArgument
template <class T, class U>
DenseView<U> rank_view(const BlockView<U>& v, const char* name);

/// The plan for a block of which this rank has so many rows; map: its row_map. Collective.
/// @throws InvalidArgument  on all ranks: some have a map and others, with rows, have none; without maps, another number
///         of rows than the order; with maps as RowPlan
RowPlan plan_of_rows(Communicator& ranks, const RowCuts& cuts, index_t rows, const index_t* map, RowsGiven given,
                     const std::string& name);

}  // namespace frond::detail
