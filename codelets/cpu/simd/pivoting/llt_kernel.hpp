// SPDX-License-Identifier: BSD-3-Clause
// [L11; L21] of [A11; A21] = [L11; L21] L11^H for a panel [m, n], n a few dozen: left-looking, the
// diagonal block of up to 8 columns in registers, the rows below with right_solve_rows.
#pragma once

#include "diagonal_block.hpp"

namespace frond::cpu::FROND_ISA {

/// First column whose pivot is not positive and finite, or C.
template <class T, int C>
FROND_INLINE int positive_columns(const DiagonalBlock<T, C, true>& block) {
    for (int j = 0; j < C; ++j)
        if (!(block.pivot[j] > 0) || !(block.pivot[j] <= std::numeric_limits<real_t<T>>::max())) return j;
    return C;
}

/// L D^1/2
template <class T, int C>
FROND_INLINE void store_llt(const DiagonalBlock<T, C, true>& block, T* a, index_t lda,
                            TriangleCoefficients<T, C>& triangle) {
#pragma GCC unroll 8
    for (int j = 0; j < C; ++j) {
        const real_t<T> root = std::sqrt(block.pivot[j]), inverse = real_t<T>(1) / root;
        T* to = a + static_cast<count_t>(j) * lda;
        const Vector<T> l = block.column[j] * inverse;
        store_span<T>(to, l, j, C);
        to[j] = root;
        triangle.take_row(j, l, true);
        triangle.inverse[j] = inverse;
    }
}

/// The same block column by column in scalars, where it does not fit the lanes of a vector.
template <class T, int C>
FROND_INLINE int llt_diagonal_by_scalars(index_t k, const T* left, index_t lda, T* a,
                                         TriangleCoefficients<T, C>& triangle, real_t<T>* squares) {
    using R = real_t<T>;
    for (int j = 0; j < C; ++j) {
        T* x = a + static_cast<count_t>(j) * lda;
        for (index_t p = -k; p < j; ++p) {
            const T* l = p < 0 ? left + (p + k) * static_cast<count_t>(lda) : a + static_cast<count_t>(p) * lda;
            for (int i = j; i < C; ++i) x[i] -= multiply(l[i], conjugate(l[j]));
        }
        const R pivot = real_part(x[j]);
        if (!(pivot > 0) || !(pivot <= std::numeric_limits<R>::max())) return j;
        squares[j] = pivot;
        x[j] = std::sqrt(pivot);
        triangle.inverse[j] = R(1) / real_part(x[j]);
        for (int i = j + 1; i < C; ++i) {
            x[i] *= real_part(triangle.inverse[j]);
            triangle.row[j][i] = conjugate(x[i]);
        }
    }
    return C;
}

/// Diagonal block at a, updated by the k columns left of it, factored and stored back; returns its
/// first column whose pivot is not positive and finite, or C.
template <class T, int C>
FROND_INLINE int llt_diagonal(index_t k, const T* left, index_t lda, T* a, TriangleCoefficients<T, C>& triangle,
                              real_t<T>* squares) {
    if constexpr (C > lanes<T>) {
        return llt_diagonal_by_scalars<T, C>(k, left, lda, a, triangle, squares);
    } else {
        DiagonalBlock<T, C, true> block;
        block.load_updated(k, left, lda, left, lda, a, lda);
        block.factor();
        const int good = positive_columns<T, C>(block);
        for (int j = 0; j < good; ++j) squares[j] = block.pivot[j];
        if (good == C) store_llt<T, C>(block, a, lda, triangle);
        return good;
    }
}

/// Returns the first column whose pivot is not positive, or -1. squares [n]: the pivots l_jj^2 of
/// the columns before it.
template <class T>
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
            right_solve_rows<T, C, Right::transposed, false>(m - j - C, j, a + j + C, a + j, lda, true, triangle,
                                                             block + j + C, lda);
        });
    return failed;
}

}  // namespace frond::cpu::FROND_ISA
