// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "dissection_graph.hpp"

namespace frond::dissection {

struct Coarsening {
    Graph graph;
    std::vector<index_t> coarse_of;  // [size of the finer graph]
};

/// Matched vertices become one (heavy edge matching: Karypis & Kumar 1998, section 3.1). No coarse
/// vertex is made heavier than `heaviest`. Vertices look for a mate in their natural order, which
/// keeps the structure of grids and runs through memory; with `shuffle` at random.
Coarsening coarsen(const Graph& fine, count_t heaviest, Random* shuffle);

}  // namespace frond::dissection
