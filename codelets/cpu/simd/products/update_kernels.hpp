// SPDX-License-Identifier: BSD-3-Clause
// C := C - A B, C - A B^T, C - A B^H, whole or lower triangle.
#pragma once

#include "packed_update.hpp"
#include "product_block.hpp"

namespace frond::cpu::FROND_ISA {

/// One register block of C. triangular: only entries on and below the diagonal of the block are
/// written.
template <class T, int V, int C, Right right, bool masked, bool triangular>
FROND_INLINE void update_block(index_t k, const T* a, index_t lda, const T* b, index_t ldb, bool conjugated, T* c,
                               index_t ldc, int last) {
    Sum<T> sum[V][C];
    multiply_block<T, V, C, right, masked>(k, a, lda, b, ldb, last, sum);
#pragma GCC unroll 8
    for (int j = 0; j < C; ++j) {
        T* column = c + static_cast<count_t>(j) * ldc;
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) {
            T* p = column + v * lanes<T>;
            const int end = masked && v == V - 1 ? last : lanes<T>;
            const int begin = triangular && v * lanes<T> < C ? j - v * lanes<T> : 0;
            const Vector<T> product = sum[v][j].total(conjugated);
            if ((masked && v == V - 1) || (triangular && v * lanes<T> < C)) {
                const int first = begin > 0 ? (begin < lanes<T> ? begin : lanes<T>) : 0;
                store_span<T>(p, load_span<T>(p, first, end) - product, first, end);
            } else {
                store<T>(p, load<T>(p) - product);
            }
        }
    }
}

template <class T, Right right>
void unpacked_update(index_t m, index_t n, index_t k, const T* a, index_t lda, const T* b, index_t ldb, bool conjugated,
                     T* c, index_t ldc) {
    for_each_column_block<T>(
        n, [&]<int C>(index_t j) __attribute__((always_inline)) {
            const T* right_block = right == Right::plain ? b + static_cast<count_t>(j) * ldb : b + j;
            T* columns = c + static_cast<count_t>(j) * ldc;
            for_each_strip<T>(
                m, [&]<int V, bool masked>(index_t i, int last) __attribute__((always_inline)) {
                    update_block<T, V, C, right, masked, false>(k, a + i, lda, right_block, ldb, conjugated,
                                                                columns + i, ldc, last);
                });
        });
}

/// Left operands up to this size stay in the second cache while all columns of C pass by, so
/// packing them gains nothing. Measured on Zen 5: equal at 300 to 500 KiB. Processors without AVX-512 have smaller
/// caches: with AVX2 on an EPYC with 512 KiB for each core, products from 160 on are 1.3 to 1.5 times as fast packed.
inline constexpr count_t unpacked_bytes = (FROND_VECTOR_BYTES > 32 ? 512 : 128) * 1024;

template <class T>
FROND_INLINE bool fits_unpacked(index_t m, index_t k) {
    return static_cast<count_t>(m) * k * static_cast<count_t>(sizeof(T)) <= unpacked_bytes;
}

template <class T, Right right>
void update_whole(index_t m, index_t n, index_t k, const T* a, index_t lda, const T* b, index_t ldb, bool conjugated,
                  T* c, index_t ldc) {
    if (fits_unpacked<T>(m, k))
        unpacked_update<T, right>(m, n, k, a, lda, b, ldb, conjugated, c, ldc);
    else
        packed_update<T, right>(m, n, k, a, lda, b, ldb, conjugated, c, ldc);
}

/// Lower triangle of C [n, n], C columns from j on: C -= A B^T, b: row j of B.
template <class T, int C>
FROND_INLINE void unpacked_triangle_columns(index_t n, index_t k, index_t j, const T* a, index_t lda,
                                            const T* right_block, index_t ldb, bool conjugated, T* c, index_t ldc) {
    T* columns = c + static_cast<count_t>(j) * ldc;
    bool top = true;
    for_each_strip<T>(
        n - j, [&]<int V, bool masked>(index_t i, int last) __attribute__((always_inline)) {
            const T* left = a + j + i;
            if (top)
                update_block<T, V, C, Right::transposed, masked, true>(k, left, lda, right_block, ldb, conjugated,
                                                                       columns + j + i, ldc, last);
            else
                update_block<T, V, C, Right::transposed, masked, false>(k, left, lda, right_block, ldb, conjugated,
                                                                        columns + j + i, ldc, last);
            top = false;
        });
}

/// Lower triangle of C [n, n].
template <class T>
void unpacked_triangle(index_t n, index_t k, const T* a, index_t lda, const T* b, index_t ldb, bool conjugated, T* c,
                       index_t ldc) {
    for_each_column_block<T>(
        n, [&]<int C>(index_t j) __attribute__((always_inline)) {
            unpacked_triangle_columns<T, C>(n, k, j, a, lda, b + j, ldb, conjugated, c, ldc);
        });
}

/// Lower triangle of C [n, n] -= A D A^T (A^H), 1x1 pivots.
template <class T>
void scaled_triangle(index_t n, index_t k, const T* a, index_t lda, const T* pivots, bool conjugated, T* c,
                     index_t ldc) {
    ScaledRows<T, packed_depth> rows;
    for (index_t p = 0; p < k; p += packed_depth, a += static_cast<count_t>(packed_depth) * lda) {
        const index_t depth = std::min<index_t>(packed_depth, k - p);
        for_each_column_block<T>(
            n, [&]<int C>(index_t j) __attribute__((always_inline)) {
                const T* l_d = rows.template take<C>(depth, a + j, lda, pivots + 2 * p);
                unpacked_triangle_columns<T, C>(n, depth, j, a, lda, l_d, C, conjugated, c, ldc);
            });
    }
}

/// Columns of C that one step of update_triangle covers: wide enough to reuse A, narrow enough that
/// B [triangle_block, packed_depth] stays in the second cache.
inline constexpr index_t triangle_block = 384;

/// Lower triangle of C [n, n], by block columns: triangle on top, by halves; the rest below.
template <class T>
void update_triangle(index_t n, index_t k, const T* a, index_t lda, const T* b, index_t ldb, bool conjugated, T* c,
                     index_t ldc) {
    if (n <= 64)
        for (index_t p = 0; p < k; p += packed_depth)
            unpacked_triangle<T>(n, std::min<index_t>(packed_depth, k - p), a + static_cast<count_t>(p) * lda, lda,
                                 b + static_cast<count_t>(p) * ldb, ldb, conjugated, c, ldc);
    else if (fits_unpacked<T>(n, k))
        unpacked_triangle<T>(n, k, a, lda, b, ldb, conjugated, c, ldc);
    if (n <= 64 || fits_unpacked<T>(n, k)) return;
    const index_t half = (n / 2 + block_columns<T> - 1) / block_columns<T> * block_columns<T>;
    const index_t width = n > triangle_block ? balanced_block(n, triangle_block, block_columns<T>) : half;
    for (index_t j = 0; j < n; j += width) {
        const index_t columns = std::min(width, n - j), below = j + columns;
        T* target = c + static_cast<count_t>(j) * ldc;
        update_triangle<T>(columns, k, a + j, lda, b + j, ldb, conjugated, target + j, ldc);
        update_whole<T, Right::transposed>(n - below, columns, k, a + below, lda, b + j, ldb, conjugated,
                                           target + below, ldc);
    }
}

}  // namespace frond::cpu::FROND_ISA
