// SPDX-License-Identifier: BSD-3-Clause
// A matrix of which each column is counted, then filled, by blocks of columns on threads.
#pragma once

#include "../../base/on_threads.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace frond::detail {

inline ChunkedRange column_blocks(index_t cols) {
    constexpr count_t least = 1 << 12, most_blocks = 256;
    return {cols, std::max(least, (cols + most_blocks - 1) / most_blocks)};
}

/// size(column): its entries. fill(column, row, value): writes so many of both.
template <class T, class Size, class Fill>
SparseMatrix<T> columns_by_blocks(index_t cols, index_t threads, const Size& size, const Fill& fill) {
    SparseMatrix<T> a;
    a.pattern.rows = a.pattern.cols = cols;
    resize_in_huge_pages(a.pattern.begin, at(cols) + 1);
    count_t* const begin = a.pattern.begin.data();
    const ChunkedRange blocks = column_blocks(cols);
    std::vector<count_t> block_begin(at(blocks.count()));
    for_each_chunk(threads, blocks.count(), [&](count_t b) {
        count_t sum = 0;
        for (count_t j = blocks.first(b); j < blocks.last(b); ++j) {
            begin[j] = sum;
            sum += size(static_cast<index_t>(j));
        }
        block_begin[at(b)] = sum;
    });
    count_t entries = 0;
    for (count_t& first : block_begin) entries += std::exchange(first, entries);
    begin[cols] = entries;
    resize_in_huge_pages(a.pattern.row, at(entries));
    resize_in_huge_pages(a.value, at(entries));
    for_each_chunk(threads, blocks.count(), [&](count_t b) {
        for (count_t j = blocks.first(b); j < blocks.last(b); ++j) {
            begin[j] += block_begin[at(b)];
            fill(static_cast<index_t>(j), a.pattern.row.data() + begin[j], a.value.data() + begin[j]);
        }
    });
    return a;
}

}  // namespace frond::detail
