// SPDX-License-Identifier: BSD-3-Clause
// C := C - A B, C - A B^T, C - A B^H for operands beyond the second cache: blocks of A are copied
// into contiguous strips on the call stack, so that leading dimensions do not matter
// (Goto & van de Geijn 2008, section 4: the block of A in the second cache, a strip of B in the
// first).
#pragma once

#include "product_block.hpp"

#include <cstddef>
#include <cstring>

namespace frond::cpu::FROND_ISA {

/// Block of A: packed_rows x packed_depth scalars, 432 KiB.
inline constexpr int packed_depth = 192;
template <class T>
inline constexpr int packed_rows = 2304 / static_cast<int>(sizeof(T));
template <class T>
inline constexpr int strip_rows = block_vectors* lanes<T>;
static_assert(packed_rows<std::complex<double>> % strip_rows<std::complex<double>> == 0 &&
              packed_rows<float> % strip_rows<float> == 0);

/// Strips of A [rows, k]: strip s holds rows s * strip_rows .. as [strip_rows, k], zero padded.
template <class T>
void pack_left(index_t rows, index_t k, const T* a, index_t lda, T* packed) {
    for_each_strip<T>(
        rows, [&]<int V, bool masked>(index_t i, int last) __attribute__((always_inline)) {
            T* to = packed + static_cast<count_t>(i) * k;
            const T* from = a + i;
            for (index_t p = 0; p < k; ++p, from += lda, to += strip_rows<T>) {
#pragma GCC unroll 4
                for (int v = 0; v < block_vectors; ++v) {
                    Vector<T> x = {};
                    if (v < V)
                        x = masked && v == V - 1 ? load_span<T>(from + v * lanes<T>, 0, last)
                                                 : load<T>(from + v * lanes<T>);
                    store<T>(to + v * lanes<T>, x);
                }
            }
        });
}

/// Column blocks of B packed together: as many as one visit to a row of B^T should read at once,
/// since those rows are a page apart.
inline constexpr int packed_group = 4;

/// Blocks [block_columns, k] of b(p, j), j < columns, zero padded.
template <class T, Right right>
void pack_right(index_t columns, index_t k, const T* b, index_t ldb, T* packed) {
    constexpr int C = block_columns<T>;
    const count_t depth_step = right == Right::plain ? 1 : ldb;
    const count_t column_step = right == Right::plain ? ldb : 1;
    const index_t full = right == Right::transposed ? columns / C : 0;
    for (index_t p = 0; p < k; ++p) {
        const T* from = b + p * depth_step;
        T* to = packed + static_cast<count_t>(p) * C;
        for (index_t block = 0; block < full; ++block)
            std::memcpy(static_cast<void*>(to + static_cast<count_t>(block) * k * C), from + block * C, sizeof(T) * C);
        for (index_t j = full * C; j < columns; j += C)
            for (int c = 0; c < C; ++c)
                to[static_cast<count_t>(j) * k + c] = j + c < columns ? from[(j + c) * column_step] : T(0);
    }
}

/// C(strip) -= packed strip times block of B, the first rows and columns of it.
template <class T, Right right>
FROND_INLINE void packed_block(index_t k, const T* a, const T* b, index_t ldb, bool conjugated, T* c, index_t ldc,
                               int rows, int columns) {
    constexpr int V = block_vectors, C = block_columns<T>;
    Sum<T> sum[V][C];
    multiply_block<T, V, C, right, false>(k, a, strip_rows<T>, b, ldb, 0, sum);
    const bool complete = rows == strip_rows<T> && columns == C;
#pragma GCC unroll 8
    for (int j = 0; j < C; ++j)
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
            T* p = c + static_cast<count_t>(j) * ldc + v * lanes<T>;
            const Vector<T> product = sum[v][j].total(conjugated);
            const int end = rows - v * lanes<T>;
            if (complete)
                store<T>(p, load<T>(p) - product);
            else if (j < columns && end >= lanes<T>)
                store<T>(p, load<T>(p) - product);
            else if (j < columns && end > 0)
                store_span<T>(p, load_span<T>(p, 0, end) - product, 0, end);
        }
}

/// One packed block of A [rows, k] against one block of columns.
template <class T, Right right>
FROND_INLINE void packed_rows_update(index_t rows, index_t columns, index_t k, const T* packed_a, const T* b,
                                     index_t ldb, bool conjugated, T* c, index_t ldc) {
    for (index_t i = 0; i < rows; i += strip_rows<T>)
        packed_block<T, right>(k, packed_a + static_cast<count_t>(i) * k, b, ldb, conjugated, c + i, ldc,
                               static_cast<int>(std::min<index_t>(strip_rows<T>, rows - i)), static_cast<int>(columns));
}

/// One packed block of A [rows, k] against B [k, n]. Columns of a plain B are contiguous where they
/// lie, so only its last, incomplete block is packed.
template <class T, Right right>
void packed_block_update(index_t rows, index_t n, index_t k, const T* packed_a, const T* b, index_t ldb,
                         bool conjugated, T* c, index_t ldc) {
    constexpr int C = block_columns<T>;
    alignas(64) std::byte storage[sizeof(T) * C * packed_group * packed_depth];
    T* packed_b = reinterpret_cast<T*>(storage);
    index_t j = 0;
    if (right == Right::plain)
        for (; j + C <= n; j += C)
            packed_rows_update<T, Right::plain>(rows, C, k, packed_a, b + static_cast<count_t>(j) * ldb, ldb,
                                                conjugated, c + static_cast<count_t>(j) * ldc, ldc);
    for (; j < n; j += C * packed_group) {
        const index_t columns = std::min<index_t>(C * packed_group, n - j);
        const T* group = right == Right::plain ? b + static_cast<count_t>(j) * ldb : b + j;
        pack_right<T, right>(columns, k, group, ldb, packed_b);
        for (index_t g = 0; g < columns; g += C)
            packed_rows_update<T, Right::transposed>(rows, std::min<index_t>(C, columns - g), k, packed_a,
                                                     packed_b + static_cast<count_t>(g) * k, C, conjugated,
                                                     c + static_cast<count_t>(j + g) * ldc, ldc);
    }
}

/// Largest block <= limit that cuts n into equal parts, a multiple of step.
inline index_t balanced_block(index_t n, index_t limit, index_t step) {
    const index_t parts = (n + limit - 1) / limit;
    return ((n + parts - 1) / parts + step - 1) / step * step;
}

template <class T, Right right>
void packed_update(index_t m, index_t n, index_t k, const T* a, index_t lda, const T* b, index_t ldb, bool conjugated,
                   T* c, index_t ldc) {
    if (m == 0 || n == 0 || k == 0) return;
    alignas(64) std::byte storage[sizeof(T) * packed_rows<T> * packed_depth];
    T* packed_a = reinterpret_cast<T*>(storage);
    const index_t depth_block = balanced_block(k, packed_depth, 8);
    const index_t row_block = balanced_block(m, packed_rows<T>, strip_rows<T>);
    for (index_t p = 0; p < k; p += depth_block) {
        const index_t depth = std::min<index_t>(depth_block, k - p);
        const T* b_p = right == Right::plain ? b + p : b + static_cast<count_t>(p) * ldb;
        for (index_t i = 0; i < m; i += row_block) {
            const index_t rows = std::min<index_t>(row_block, m - i);
            pack_left<T>(rows, depth, a + i + static_cast<count_t>(p) * lda, lda, packed_a);
            packed_block_update<T, right>(rows, n, depth, packed_a, b_p, ldb, conjugated, c + i, ldc);
        }
    }
}

}  // namespace frond::cpu::FROND_ISA
