// SPDX-License-Identifier: BSD-3-Clause
// A on rank 0, from row blocks.
#pragma once

#include <vector>

#include "ranks/communicator.hpp"
#include "row_blocks/block_pattern.hpp"

namespace frond::detail {

/// The canonical matrix by rows: of the symmetric kinds the lower triangle.
template <class T>
struct WholeMatrix {
    std::vector<count_t> begin;  // [order + 1]
    std::vector<index_t> column;
    std::vector<T> value;
};

/// Bytes that rank 0 needs for A beside what it has: this form and the canonical one that is made of it.
template <class T>
count_t whole_matrix_bytes(Communicator& ranks, const BlockPattern& pattern);

/// Collective; the result is on rank 0, on others empty.
template <class T>
WholeMatrix<T> gather_matrix(Communicator& ranks, const BlockPattern& pattern, const std::vector<T>& value);
/// The values alone.
template <class T>
std::vector<T> gather_values(Communicator& ranks, const BlockPattern& pattern, const std::vector<T>& value);

}  // namespace frond::detail
