// SPDX-License-Identifier: BSD-3-Clause
// [L11; L21] of [A11; A21] = [L11; L21] L11^H for a panel [m, n], n a few dozen: left-looking, the
// diagonal block of up to 8 columns in registers, the rows below with right_solve_rows.
#pragma once

#include "broadcast_lane.hpp"
#include "right_solve_kernels.hpp"

namespace frond::cpu::FROND_ISA {

/// Diagonal block in registers, one vector a column (C <= lanes), as L D L^H, so that no root waits
/// in the chain from one pivot to the next; then L D^1/2. Lanes above the diagonal hold anything.
template<class T, int C>
struct DiagonalBlock {
    using R = real_t<T>;
    Vector<T> column[C];
    R pivot[C];

    FROND_INLINE void load_updated(index_t k, const T* left, const T* a, index_t lda) {
        constexpr bool masked = C < lanes<T>;
        Sum<T> sum[1][C];
        multiply_block<T, 1, C, Right::transposed, masked>(k, left, lda, left, lda, C, sum);
#pragma GCC unroll 8
        for (int j = 0; j < C; ++j)
            column[j] =
                load_span<T>(a + static_cast<count_t>(j) * lda, j, C) - sum[0][j].total(true);
    }

    FROND_INLINE void factor() {
        [&]<int... j>(std::integer_sequence<int, j...>) __attribute__((always_inline)) {
            (eliminate<j>(), ...);
        }
        (std::make_integer_sequence<int, C>{});
    }

    /// First column whose pivot is not positive and finite, or C.
    FROND_INLINE int good_columns() const {
        for (int j = 0; j < C; ++j)
            if (!(pivot[j] > 0) || !(pivot[j] <= std::numeric_limits<R>::max())) return j;
        return C;
    }

    FROND_INLINE void store_factor(T* a, index_t lda, TriangleCoefficients<T, C>& triangle) const {
#pragma GCC unroll 8
        for (int j = 0; j < C; ++j) {
            const R root = std::sqrt(pivot[j]), inverse = R(1) / root;
            T* to = a + static_cast<count_t>(j) * lda;
            const Vector<T> l = column[j] * inverse;
            store_span<T>(to, l, j, C);
            to[j] = root;
            alignas(64) T lane[lanes<T>];
            store<T>(lane, l);
#pragma GCC unroll 8
            for (int i = j + 1; i < C; ++i) triangle.row[j][i] = conjugate(lane[i]);
            triangle.inverse[j] = inverse;
        }
    }

private:
    /// column c -= column j conj(column j at row c) / d_j for c > j
    template<int j>
    FROND_INLINE void eliminate() {
        constexpr int parts = is_complex<T> ? 2 : 1;
        pivot[j] = column[j][parts * j];
        Vector<T> scaled_column = column[j] * (R(1) / pivot[j]);
        if constexpr (is_complex<T>) scaled_column *= alternating<R>(1, -1);
        const Vector<T> column_i = rotated<T>(column[j]);
        [&]<int... c>(std::integer_sequence<int, c...>) __attribute__((always_inline)) {
            ((column[j + 1 + c] = subtract_lane<j + 1 + c, T>(column[j + 1 + c], column[j],
                                                              column_i, scaled_column)),
             ...);
        }
        (std::make_integer_sequence<int, C - 1 - j>{});
    }
};

/// The same block column by column in scalars, where it does not fit the lanes of a vector.
template<class T, int C>
FROND_INLINE int llt_diagonal_by_scalars(index_t k, const T* left, index_t lda, T* a,
                                         TriangleCoefficients<T, C>& triangle, real_t<T>* squares) {
    using R = real_t<T>;
    for (int j = 0; j < C; ++j) {
        T* x = a + static_cast<count_t>(j) * lda;
        for (index_t p = -k; p < j; ++p) {
            const T* l = p < 0 ? left + (p + k) * static_cast<count_t>(lda)
                               : a + static_cast<count_t>(p) * lda;
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
template<class T, int C>
FROND_INLINE int llt_diagonal(index_t k, const T* left, index_t lda, T* a,
                              TriangleCoefficients<T, C>& triangle, real_t<T>* squares) {
    if constexpr (C > lanes<T>) {
        return llt_diagonal_by_scalars<T, C>(k, left, lda, a, triangle, squares);
    } else {
        DiagonalBlock<T, C> block;
        block.load_updated(k, left, a, lda);
        block.factor();
        const int good = block.good_columns();
        for (int j = 0; j < good; ++j) squares[j] = block.pivot[j];
        if (good == C) block.store_factor(a, lda, triangle);
        return good;
    }
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
