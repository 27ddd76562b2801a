// SPDX-License-Identifier: BSD-3-Clause
// Lists that are checked, and those that have the order of the canonical form already.
#pragma once

#include "../check_entries.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/base/vector_index.hpp"
#include "entry_source.hpp"

#include <atomic>

namespace frond::detail {

/// Throws for an entry outside the matrix, a value that is not finite, a wrong triangle.
template <class Source, class T>
void check_entry(const Source& source, Triangle stored, count_t e, count_t i, count_t j, T value) {
    const count_t base = source.base();
    if (i < base || i - base >= source.rows()) fail_index("row", i, e, source.rows(), base);
    if (j < base || j - base >= source.cols()) fail_index("column", j, e, source.cols(), base);
    if (!is_finite(value)) fail_value(i, j, text_of(value));
    if (stored == Triangle::lower ? i < j : stored == Triangle::upper && i > j) fail_triangle(i, j, stored);
}

/// Throws for the first entry of the list of which check_entry() does.
template <class Source>
void check_list(const Source& source, Triangle stored, index_t threads) {
    std::atomic<bool> good = true;
    const ChunkedRange blocks = blocks_of(source.entries());
    const count_t base = source.base(), rows = source.rows(), cols = source.cols();
    for_each_chunk(threads, blocks.count(), [&](count_t block) {
        bool in_block = true;
        source.for_range(blocks.first(block), blocks.last(block), [&](count_t, count_t i, count_t j, auto value) {
            const bool inside = (i >= base) & (i < rows + base) & (j >= base) & (j < cols + base);
            const bool wrong_side = stored == Triangle::lower ? i < j : (stored == Triangle::upper) & (i > j);
            in_block &= inside & !wrong_side & is_finite(value);
        });
        if (!in_block) good.store(false, std::memory_order_relaxed);
    });
    if (good) return;
    source.for_range(0, source.entries(),
                     [&](count_t e, count_t i, count_t j, auto value) { check_entry(source, stored, e, i, j, value); });
}

/// Whether (column, row) ascend strictly from entry to entry.
template <class Placed>
bool is_in_order(const Placed& placed, index_t threads) {
    std::atomic<bool> in_order = true;
    const ChunkedRange blocks = blocks_of(placed.entries());
    for_each_chunk(threads, blocks.count(), [&](count_t block) {
        if (!in_order.load(std::memory_order_relaxed)) return;
        bool ascending = true;
        index_t row = -1, column = -1;  // of the entry before
        const count_t first = blocks.first(block);
        placed.for_range(first > 0 ? first - 1 : 0, blocks.last(block), [&](count_t, index_t i, index_t j, auto) {
            ascending &= (j > column) | ((j == column) & (i > row));
            row = i;
            column = j;
        });
        if (!ascending) in_order.store(false, std::memory_order_relaxed);
    });
    return in_order;
}

/// Copies a list that is in order.
template <class Placed>
SparseMatrix<typename Placed::Value> copy_in_order(const Placed& placed, index_t threads) {
    SparseMatrix<typename Placed::Value> a;
    a.pattern.rows = placed.rows();
    a.pattern.cols = placed.cols();
    resize_in_huge_pages(a.pattern.begin, at(a.cols()) + 1);
    resize_in_huge_pages(a.pattern.row, at(placed.entries()));
    resize_in_huge_pages(a.value, at(placed.entries()));
    count_t* const begin = a.pattern.begin.data();
    const ChunkedRange blocks = blocks_of(placed.entries());
    for_each_chunk(threads, blocks.count(), [&](count_t block) {
        const count_t first = blocks.first(block);
        index_t column = -1;
        if (first > 0) placed.for_range(first - 1, first, [&](count_t, index_t, index_t j, auto) { column = j; });
        placed.for_range(first, blocks.last(block), [&](count_t e, index_t i, index_t j, auto value) {
            while (column < j) begin[++column] = e;
            a.pattern.row[at(e)] = i;
            a.value[at(e)] = value;
        });
    });
    // Columns behind the last entry.
    index_t column = -1;
    if (placed.entries() > 0)
        placed.for_range(placed.entries() - 1, placed.entries(),
                         [&](count_t, index_t, index_t j, auto) { column = j; });
    while (column < a.cols()) begin[++column] = placed.entries();
    return a;
}

}  // namespace frond::detail
