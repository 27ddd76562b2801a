// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/matrix/sparse_matrix.hpp"

namespace frond::detail {

/// A graph of less than this is on every rank that takes part anyway (decision 47).
inline constexpr index_t least_vertices_of_rank = 10'000;

/// First vertex of each rank, and their number: about equally many entries and vertices for as many ranks as have the
/// least number on average, at least one of them; none for the others.
std::vector<count_t> cuts_of_graph(const Pattern& graph, index_t ranks, index_t least = least_vertices_of_rank);

}  // namespace frond::detail
