// SPDX-License-Identifier: BSD-3-Clause
// The register block that all level-3 kernels are built on: V vectors of rows times C columns of a
// product A B or A B^T, A and B read where they lie (no packing: operands of small fronts are in
// the first two caches).
#pragma once

#include "../vector.hpp"

#include <cstddef>

namespace frond::cpu::FROND_ISA {

/// Columns of the widest register block: 3 x 8 sums of AVX-512's 32 registers, 3 x 4 of the 16 of
/// AVX2 and SSE2; half as many for complex scalars, which need two registers a sum.
template <class T>
inline constexpr int block_columns = (FROND_VECTOR_BYTES == 64 ? 8 : 4) / (is_complex<T> ? 2 : 1);
#if defined(FROND_BLOCK_VECTORS)
inline constexpr int block_vectors = FROND_BLOCK_VECTORS;
#else
inline constexpr int block_vectors = 3;
#endif

/// How the right operand lies in memory: b(p, j) at b[p + j ld], or b(j, p) at b[j + p ld].
enum class Right { plain, transposed };

/// sum(v, c) := sum over p < k of a(rows of vector v, p) b(p, c); `last` rows of the last vector.
template <class T, int V, int C, Right right, bool masked>
FROND_INLINE void multiply_block(index_t k, const T* __restrict a, index_t lda, const T* __restrict b, index_t ldb,
                                 [[maybe_unused]] int last, Sum<T> (&sum)[V][C]) {
    constexpr count_t row_step = right == Right::plain ? 1 : 0;
    const count_t step = right == Right::plain ? row_step : ldb;
    for (index_t p = 0; p < k; ++p) {
        Vector<T> x[V];
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v)
            x[v] = masked && v == V - 1 ? load_span<T>(a + v * lanes<T>, 0, last) : load<T>(a + v * lanes<T>);
#pragma GCC unroll 8
        for (int c = 0; c < C; ++c) {
            const T* y = right == Right::plain ? b + static_cast<count_t>(c) * ldb : b + c;
#pragma GCC unroll 8
            for (int v = 0; v < V; ++v) sum[v][c].add_product(x[v], y);
        }
        a += lda;
        b += step;
    }
}

/// Calls block.template operator()<V, masked>(row, last) for strips of rows covering m rows.
template <class T, class Strip>
FROND_INLINE void for_each_strip(index_t m, Strip strip) {
    constexpr index_t full = block_vectors * lanes<T>;
    index_t i = 0;
    for (; i + full <= m; i += full) strip.template operator()<block_vectors, false>(i, lanes<T>);
    const int rest = static_cast<int>(m - i);
    if (rest == 0) return;
    const int vectors = (rest + lanes<T> - 1) / lanes<T>;
    const int last = rest - (vectors - 1) * lanes<T>;
    if (vectors == 1)
        strip.template operator()<1, true>(i, last);
    else if (vectors == 2 || block_vectors == 2)
        strip.template operator()<2, true>(i, last);
    else if constexpr (block_vectors > 2)
        strip.template operator()<3, true>(i, last);
}

/// Calls columns.template operator()<C>(column) for blocks of 8, 4, 2, 1 columns covering n.
template <class T, class Columns>
FROND_INLINE void for_each_column_block(index_t n, Columns columns) {
    constexpr int C = block_columns<T>;
    index_t j = 0;
    for (; j + C <= n; j += C) columns.template operator()<C>(j);
    if constexpr (C > 4)
        if (j + 4 <= n) columns.template operator()<4>(j), j += 4;
    if constexpr (C > 2)
        if (j + 2 <= n) columns.template operator()<2>(j), j += 2;
    if constexpr (C > 1)
        if (j < n) columns.template operator()<1>(j);
}

// Rows of L D, made for one block of columns at a time where a product L D L^T needs them, so that
// L D is written to no matrix.

/// L D of at most block_columns rows and `capacity` 1x1 pivots, contiguous: b(p, j) at p C + j.
template <class T, index_t capacity>
class ScaledRows {
public:
    /// Rows 0 .. C of l [C, k], pivots [2, k].
    template <int C>
    FROND_INLINE const T* take(index_t k, const T* l, index_t ldl, const T* pivots) {
        T* to = reinterpret_cast<T*>(storage_);
        for (index_t p = 0; p < k; ++p, l += ldl, to += C) {
            const T d = pivots[2 * p];
            if constexpr (C % lanes<T> == 0)
                for (int i = 0; i < C; i += lanes<T>) store<T>(to + i, scaled<T>(load<T>(l + i), d));
            else
                for (int i = 0; i < C; ++i) to[i] = multiply(l[i], d);
        }
        return reinterpret_cast<const T*>(storage_);
    }

private:
    alignas(64) std::byte storage_[sizeof(T) * block_columns<T> * capacity];
};

}  // namespace frond::cpu::FROND_ISA
