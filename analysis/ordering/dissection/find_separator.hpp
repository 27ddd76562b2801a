// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "dissection_graph.hpp"
#include "refine.hpp"

namespace frond::dissection {

/// How much work goes into a separator; measured on meshes in two and three dimensions.
struct SeparatorEffort {
    index_t coarsest_size = 80;  // vertices of the graph that is cut first
    int first_cuts = 4;  // tries there
    index_t restart_size = 500;  // graphs up to this size are descended from `restarts` times
    int restarts = 1;
    double heaviest_side_share = 0.6;
};

/// The separators of large parts carry most of the work of the factorization: more effort there.
inline SeparatorEffort separator_effort(index_t size) {
    SeparatorEffort effort;
    if (size >= 10000) {
        effort.first_cuts = 6;
        effort.restarts = 6;
    }
    return effort;
}

/// A light separator of balanced halves, by multilevel: coarsen, cut the coarsest graph, refine on
/// the way back (Karypis & Kumar 1998; Hendrickson & Rothberg 1998).
Partition find_separator(const Graph& graph, const SeparatorEffort& effort, Random& random, SeparatorRefiner& refiner);

}  // namespace frond::dissection
