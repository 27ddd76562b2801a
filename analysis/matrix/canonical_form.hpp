// SPDX-License-Identifier: BSD-3-Clause
// Makes canonical columns from columns in any order.
#pragma once

#include "../base/on_threads.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/base/types.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace frond::detail {

/// a_ji from a_ij of a symmetric, Hermitian or skew-symmetric matrix.
template <class T>
T mirrored(T value, Symmetry symmetry) {
    if (symmetry == Symmetry::hermitian) return conjugate(value);
    return symmetry == Symmetry::skew_symmetric ? -value : value;
}

/// 64 bits of an array, in order, the same whatever parallel_for does: of pieces of a size that never changes, then of their
/// hashes; one piece is hashed as it is.
std::uint64_t hash_array(const void* data, std::size_t bytes, std::uint64_t seed, const ParallelFor& parallel_for = {});

/// Adds neighbouring entries of equal row in sorted columns, in their order; returns how many were merged away. The same
/// for any number of threads.
template <class T>
count_t sum_duplicates(SparseMatrix<T>& a, index_t threads);

/// Brings both triangles to the form that a.symmetry asks for: the lower one of a symmetric or
/// Hermitian matrix, all of a skew-symmetric one (then general). Throws InvalidMatrix for a pair
/// that does not agree; base is added to the numbers it names.
template <class T>
void keep_lower(SparseMatrix<T>& a, count_t base, index_t threads);

/// Throws InvalidMatrix for a non-real Hermitian or nonzero skew-symmetric diagonal.
template <class T>
void check_diagonal(const SparseMatrix<T>& a, count_t base);

/// Both triangles from the stored lower one, mirrored by the rule of `symmetry`.
template <class T>
SparseMatrix<T> mirror_lower(const SparseMatrix<T>& a, Symmetry symmetry);

// A matrix of which each column is counted, then filled, by blocks of columns on threads.

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
