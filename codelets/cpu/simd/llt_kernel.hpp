// SPDX-License-Identifier: BSD-3-Clause
// [L11; L21] of [A11; A21] = [L11; L21] L11^H for a panel [m, n], n a few dozen: left-looking, the
// diagonal block of 8 columns in scalar registers, the rows below with right_solve_rows.
#pragma once

#include "right_solve_kernels.hpp"

namespace frond::cpu::FROND_ISA {

/// d := Cholesky factor of the lower triangle d [C, C], columns contiguous. Returns the first
/// column whose pivot is not positive and finite, or C. squares[j]: the pivot before its root.
template<class T, int C>
FROND_INLINE int factor_square(T (&d)[C][C], real_t<T> (&inverse)[C], real_t<T> (&squares)[C]) {
    using R = real_t<T>;
#pragma GCC unroll 8
    for (int j = 0; j < C; ++j) {
        const R pivot = real_part(d[j][j]);
        if (!(pivot > 0) || !(pivot <= std::numeric_limits<R>::max())) return j;
        squares[j] = pivot;
        const R root = std::sqrt(pivot);
        inverse[j] = R(1) / root;
        d[j][j] = root;
#pragma GCC unroll 8
        for (int i = j + 1; i < C; ++i) d[j][i] *= inverse[j];
#pragma GCC unroll 8
        for (int c = j + 1; c < C; ++c)
#pragma GCC unroll 8
            for (int i = c; i < C; ++i) {
                if constexpr (is_complex<T>) {
                    const T x = d[j][i], y = d[j][c];
                    d[c][i] -= T(x.real() * y.real() + x.imag() * y.imag(),
                                 x.imag() * y.real() - x.real() * y.imag());
                } else {
                    d[c][i] -= d[j][i] * d[j][c];
                }
            }
    }
    return C;
}

/// Diagonal block at a, updated by the k columns left of it, factored and stored back.
template<class T, int C>
FROND_INLINE int llt_diagonal(index_t k, const T* left, index_t lda, T* a,
                              TriangleCoefficients<T, C>& triangle, real_t<T>* squares) {
    T d[C][C];
    for (int j = 0; j < C; ++j)
        for (int i = j; i < C; ++i) d[j][i] = a[i + static_cast<count_t>(j) * lda];
    constexpr int V = (C + lanes<T> - 1) / lanes<T>;
    constexpr int last = C - (V - 1) * lanes<T>;
    Sum<T> sum[V][C];
    multiply_block<T, V, C, Right::transposed, last != lanes<T>>(k, left, lda, left, lda, last,
                                                                 sum);
    for (int j = 0; j < C; ++j) {
        alignas(64) T products[V * lanes<T>];
        for (int v = 0; v < V; ++v) store<T>(products + v * lanes<T>, sum[v][j].total(true));
        for (int i = j; i < C; ++i) d[j][i] -= products[i];
    }
    real_t<T> inverse[C], block_squares[C];
    const int good = factor_square<T, C>(d, inverse, block_squares);
    for (int j = 0; j < good; ++j) squares[j] = block_squares[j];
    if (good < C) return good;
    for (int j = 0; j < C; ++j) {
        for (int i = j; i < C; ++i) a[i + static_cast<count_t>(j) * lda] = d[j][i];
        for (int i = j + 1; i < C; ++i) triangle.row[j][i] = conjugate(d[j][i]);
        triangle.inverse[j] = inverse[j];
    }
    return C;
}

/// Returns the first column whose pivot is not positive, or -1. squares [n]: the pivots l_jj^2 of
/// the columns before it.
template<class T>
index_t llt_panel(index_t m, index_t n, T* a, index_t lda, real_t<T>* squares) {
    index_t failed = -1;
    for_each_column_block<T>(
        n, [&]<int C>(index_t j) __attribute__((always_inline)) {
            if (failed >= 0) return;
            T* block = a + static_cast<count_t>(j) * lda;
            TriangleCoefficients<T, C> triangle;
            const int good = llt_diagonal<T, C>(j, a + j, lda, block + j, triangle, squares + j);
            if (good < C) {
                failed = j + good;
                return;
            }
            right_solve_rows<T, C, Right::transposed, false>(m - j - C, j, a + j + C, a + j, lda,
                                                             true, triangle, block + j + C, lda);
        });
    return failed;
}

} // namespace frond::cpu::FROND_ISA
