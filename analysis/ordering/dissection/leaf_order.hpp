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
    /// Replaces part[0 .. size) by its elimination order.
    void order(const Pattern& whole, index_t* part, index_t size);

private:
    void reserve_numbers(count_t vertices);
    index_t& number_of(index_t vertex);
    void number_locally(const Pattern& whole, const index_t* part, index_t size);
    void eliminate(index_t v, index_t size);

    /// Open addressing: a vertex of the whole graph and its local number, -1 where it is free.
    struct Numbered {
        index_t vertex = -1;
        index_t local = -1;
    };

    std::vector<Numbered> numbered_;  // a power of two
    std::vector<index_t> global_;  // local vertices: the leaf first, then the halo
    std::size_t words_ = 0;
    std::vector<std::uint64_t> adjacent_;  // [size][words_]
    std::vector<index_t> degree_;  // [size]
    std::vector<index_t> result_;
};

}  // namespace frond::dissection
