// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

#include <vector>

namespace frond {

/// Vertices with more than max(16, 10 sqrt(n)) neighbours, n and neighbours counted by weight, by
/// ascending degree: the rule of AMD (Amestoy, Davis & Duff 2004, section 2.5). They hide the
/// structure of the rest from nested dissection and are eliminated last. Empty when there are more
/// than sqrt(n) of them: then they are the structure.
std::vector<index_t> dense_vertices(const Pattern& graph, const std::vector<index_t>& weight);

}  // namespace frond
