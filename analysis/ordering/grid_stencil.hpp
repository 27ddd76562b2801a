// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/options.hpp"
#include "frond/matrix/sparse_matrix.hpp"

namespace frond {

/// Whether every entry connects unknowns of one node or of two neighbours, diagonal ones included,
/// of the grid: only then do planes of nodes separate its halves. O(entries); the sizes must agree.
bool is_stencil_of_grid(const Pattern& graph, const AnalysisOptions& options);

}  // namespace frond
