// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

#include <cstdint>
#include <vector>

namespace frond::dissection {

/// Order of a small part of a graph by minimum degree; its neighbours outside the part (the halo,
/// eliminated later) count in the degrees (Pellegrini, Roman & Amestoy 2000).
/// Sets are bit vectors, so degrees are exact and cost a few words each.
class LeafOrder {
public:
    explicit LeafOrder(index_t vertices) : local_(static_cast<std::size_t>(vertices), -1) {}

    /// Replaces part[0 .. size) by its elimination order.
    void order(const Pattern& whole, index_t* part, index_t size);

private:
    void number_locally(const Pattern& whole, const index_t* part, index_t size);
    void eliminate(index_t v, index_t size);

    std::vector<index_t> local_;  // [vertices] of the leaf or its halo, -1 elsewhere
    std::vector<index_t> global_; // local vertices: the leaf first, then the halo
    std::size_t words_ = 0;
    std::vector<std::uint64_t> adjacent_; // [size][words_]
    std::vector<index_t> degree_;         // [size]
    std::vector<index_t> result_;
};

} // namespace frond::dissection
