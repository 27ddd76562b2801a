// SPDX-License-Identifier: BSD-3-Clause
// X := X M^-1 for an upper triangular M = L^T, L^H or U: left-looking by blocks of columns, product
// with the columns already solved and substitution in one pass over X, in registers.
#pragma once

#include "product_block.hpp"

namespace frond::cpu::FROND_ISA {

/// Diagonal block of M [C, C]: row j of M from the diagonal on, and inverse diagonal entries.
template <class T, int C>
struct TriangleCoefficients {
    T row[C][C];
    T inverse[C];

    /// M = U stored above the diagonal of u.
    FROND_INLINE void take_upper(const T* u, index_t ld) {
#pragma GCC unroll 8
        for (int j = 0; j < C; ++j) {
#pragma GCC unroll 8
            for (int i = j + 1; i < C; ++i) row[j][i] = u[j + static_cast<count_t>(i) * ld];
            inverse[j] = T(1) / u[j + static_cast<count_t>(j) * ld];
        }
    }

    /// M = L^T or L^H, L stored below the diagonal of l.
    FROND_INLINE void take_lower(const T* l, index_t ld, bool conjugated, bool unit) {
#pragma GCC unroll 8
        for (int j = 0; j < C; ++j) {
            const T* column = l + static_cast<count_t>(j) * ld;
#pragma GCC unroll 8
            for (int i = j + 1; i < C; ++i) row[j][i] = conjugated ? conjugate(column[i]) : column[i];
            inverse[j] = unit ? T(1) : T(1) / (conjugated ? conjugate(column[j]) : column[j]);
        }
    }

    /// Row j from column j of L in a register.
    FROND_INLINE void take_row(int j, Vector<T> l, bool conjugated) {
        alignas(64) T lane[lanes<T>];
        store<T>(lane, l);
#pragma GCC unroll 8
        for (int i = j + 1; i < C; ++i) row[j][i] = conjugated ? conjugate(lane[i]) : lane[i];
    }
};

/// Y(strip, block) := (A(strip, block) - X(strip, 0:k) B) M^-1, given to put(column, vector, y)
/// column by column; a points at the block, x_left at column 0 of the same rows of X.
template <class T, int V, int C, Right right, bool masked, bool unit, class Put>
FROND_INLINE void right_solve_block(index_t k, const T* x_left, index_t ldx, const T* b, index_t ldb, bool conjugated,
                                    const TriangleCoefficients<T, C>& m, const T* a, index_t lda, int last, Put put) {
    Sum<T> sum[V][C];
    multiply_block<T, V, C, right, masked>(k, x_left, ldx, b, ldb, last, sum);
    Vector<T> y[V][C];
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c)
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) {
            const T* p = a + static_cast<count_t>(c) * lda + v * lanes<T>;
            const Vector<T> old = masked && v == V - 1 ? load_span<T>(p, 0, last) : load<T>(p);
            y[v][c] = old - sum[v][c].total(conjugated);
        }
#pragma GCC unroll 8
    for (int j = 0; j < C; ++j)
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) {
            if constexpr (!unit) y[v][j] = scaled<T>(y[v][j], m.inverse[j]);
            const Vector<T> y_i = rotated<T>(y[v][j]);
#pragma GCC unroll 8
            for (int i = j + 1; i < C; ++i) y[v][i] = subtract_scaled<T>(y[v][i], y[v][j], y_i, m.row[j][i]);
            put(j, v, y[v][j]);
        }
}

/// Vector v of V of a strip, whose last one holds `last` rows when masked.
template <class T, int V, bool masked>
FROND_INLINE void store_in_strip(T* p, int v, Vector<T> x, int last) {
    if (masked && v == V - 1)
        store_span<T>(p + v * lanes<T>, x, 0, last);
    else
        store<T>(p + v * lanes<T>, x);
}

/// Rows of X against one block of columns, in place: x_left column 0, x the block, k columns
/// between.
template <class T, int C, Right right, bool unit>
FROND_INLINE void right_solve_rows(index_t rows, index_t k, const T* x_left, const T* b, index_t ldb, bool conjugated,
                                   const TriangleCoefficients<T, C>& m, T* x, index_t ldx) {
    for_each_strip<T>(
        rows, [&]<int V, bool masked>(index_t i, int last) __attribute__((always_inline)) {
            right_solve_block<T, V, C, right, masked, unit>(
                k, x_left + i, ldx, b, ldb, conjugated, m, x + i, ldx,
                last, [&](int j, int v, Vector<T> y) __attribute__((always_inline)) {
                    T* column = x + i + static_cast<count_t>(j) * ldx;
                    store_in_strip<T, V, masked>(column, v, y, last);
                });
        });
}

/// X [m, n] := X L^-T or X L^-H, L [n, n] lower triangular.
template <class T, bool unit>
void right_solve_lower(index_t m, index_t n, const T* l, index_t ldl, bool conjugated, T* x, index_t ldx) {
    for_each_column_block<T>(
        n, [&]<int C>(index_t j) __attribute__((always_inline)) {
            TriangleCoefficients<T, C> triangle;
            triangle.take_lower(l + j + static_cast<count_t>(j) * ldl, ldl, conjugated, unit);
            right_solve_rows<T, C, Right::transposed, unit>(m, j, x, l + j, ldl, conjugated, triangle,
                                                            x + static_cast<count_t>(j) * ldx, ldx);
        });
}

/// X [m, n] := X U^-1, U [n, n] upper triangular.
template <class T>
void right_solve_upper(index_t m, index_t n, const T* u, index_t ldu, T* x, index_t ldx) {
    for_each_column_block<T>(
        n, [&]<int C>(index_t j) __attribute__((always_inline)) {
            TriangleCoefficients<T, C> triangle;
            const T* column = u + static_cast<count_t>(j) * ldu;
            triangle.take_upper(column + j, ldu);
            right_solve_rows<T, C, Right::plain, false>(m, j, x, column, ldu, false, triangle,
                                                        x + static_cast<count_t>(j) * ldx, ldx);
        });
}

}  // namespace frond::cpu::FROND_ISA
