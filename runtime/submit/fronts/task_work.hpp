// SPDX-License-Identifier: BSD-3-Clause
// What the times of tasks follow in addition to operations and bytes, for models of their time.
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/codelets/time_models.hpp"
#include "frond/cpu/pivot_report.hpp"
#include "tasks/assembly/assemble_tile.hpp"
#include "tasks/panel/update_tile.hpp"

namespace frond::detail {

/// Kind and pivoting, as "lu" or "lu static".
const char* variant_of(Factorization kind, const PivotRule& rule);
const char* variant_of(const UpdateArguments& arguments, Factorization kind);

/// bytes: of all entries of its fronts; items: fronts; rows: sum of their orders.
TaskWork work_of_subtree(const Analysis& analysis, const Subtree& subtree, count_t scalar_bytes);
/// bytes: of the tile, where it is written first; items: entries of A and of the children's blocks that are added.
TaskWork work_of_assembly(const AssembleArguments& arguments, count_t tile_bytes);
/// The work of a piece on a card. bytes: of its fronts as squares; items: kernels that it starts; rows: levels times
/// the root of the bytes, which is proportional to the orders of fronts that follow one another, whose panels do so,
/// too. Measured times follow it more closely than levels alone (docs/simulation.md).
TaskWork work_of_piece(count_t square_bytes, count_t launches, count_t levels);

}  // namespace frond::detail
