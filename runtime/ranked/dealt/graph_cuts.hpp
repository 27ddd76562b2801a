// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/matrix/sparse_matrix.hpp"

namespace frond::detail {

/// First vertex of each rank, and their number: about equally many entries and vertices each.
std::vector<count_t> cuts_of_graph(const Pattern& graph, index_t ranks);

}  // namespace frond::detail
