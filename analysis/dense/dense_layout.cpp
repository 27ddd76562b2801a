// SPDX-License-Identifier: BSD-3-Clause
#include "frond/matrix/dense_matrix_view.hpp"

namespace frond {
namespace {

/// Blocks `mine`, mine + processes, ... of 0 .. n - 1.
std::vector<index_t> blocks_in_turn(count_t n, index_t block, index_t processes, index_t mine) {
    std::vector<index_t> numbers;
    if (block == 0) block = static_cast<index_t>(n);
    for (count_t first = count_t{mine} * block; first < n; first += count_t{processes} * block)
        for (count_t k = first; k < n && k < first + block; ++k) numbers.push_back(static_cast<index_t>(k));
    return numbers;
}

}  // namespace

std::vector<index_t> DenseLayout::rows_of(index_t rank, count_t order) const {
    if (rank >= ranks()) return {};
    return blocks_in_turn(order, row_block, process_rows, rank / process_columns);
}

std::vector<index_t> DenseLayout::columns_of(index_t rank, count_t order) const {
    if (rank >= ranks()) return {};
    return blocks_in_turn(order, column_block, process_columns, rank % process_columns);
}

}  // namespace frond
