// SPDX-License-Identifier: BSD-3-Clause
// What the choice of an ordering looks at.
#pragma once

#include "frond/analysis/options.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <vector>

namespace frond {

/// Vertices with more than max(16, 10 sqrt(n)) neighbours, n and neighbours counted by weight, by
/// ascending degree: the rule of AMD (Amestoy, Davis & Duff 2004, section 2.5). They hide the
/// structure of the rest from nested dissection and are eliminated last. Empty when there are more
/// than sqrt(n) of them: then they are the structure.
std::vector<index_t> dense_vertices(const Pattern& graph, const std::vector<index_t>& weight);

/// True: every entry connects unknowns of one node or of two neighbours, diagonal ones included,
/// of the grid: only then do planes of nodes separate its halves. O(entries); the sizes must agree.
bool is_stencil_of_grid(const Pattern& graph, const AnalysisOptions& options);

/// The machine that times are predicted for: that of the options, rounded to powers of two, with
/// the rates of an ordinary core where they are not given; always the same one with
/// `deterministic`. Throws InvalidArgument for what is negative or not finite.
MachineDescription machine_to_order_for(const AnalysisOptions& options);

}  // namespace frond
