// SPDX-License-Identifier: BSD-3-Clause
// B := L^-1 B for unit lower triangular L: blocks of as many rows as a vector has lanes,
// substitution inside the vector by broadcasting its lanes.
#pragma once

#include "../vector.hpp"
#include "product_block.hpp"

#include <cstddef>
#include <utility>

namespace frond::cpu::FROND_ISA {

/// Largest order of L: its strips are copied to the call stack, whatever its leading dimension.
inline constexpr index_t left_solve_order = simd::left_triangle_order;

/// Columns of one diagonal block divided by their diagonal entries, zero on and above the diagonal,
/// and the inverse diagonal entries in the lanes of one vector.
template <class T, bool unit>
struct BlockTriangle {
    Vector<T> column[lanes<T>];
    Vector<T> column_i[lanes<T>];
    [[maybe_unused]] T inverse[lanes<T>];

    FROND_INLINE void take(const T* l, index_t ld, int order) {
        for (int r = 0; r < lanes<T>; ++r) {
            const T* from = l + static_cast<count_t>(r) * ld;
            column[r] = r + 1 < order ? load_span<T>(from, r + 1, order) : Vector<T>{};
            if constexpr (!unit) {
                inverse[r] = r < order ? T(1) / from[r] : T(0);
                column[r] = scaled<T>(column[r], inverse[r]);
            }
            column_i[r] = rotated<T>(column[r]);
        }
    }

    FROND_INLINE Vector<T> divide(Vector<T> x) const {
        if constexpr (unit) return x;
        T lane[lanes<T>];
        store<T>(lane, x);
        for (int r = 0; r < lanes<T>; ++r) lane[r] = multiply(lane[r], inverse[r]);
        return load<T>(lane);
    }
};

/// One block of rows and C columns: k rows of B above are solved; strip [lanes, k] of L left of the
/// block.
template <class T, int C, bool masked, bool unit>
FROND_INLINE void left_solve_block(index_t k, const T* strip, const T* b_above, T* b, index_t ldb,
                                   const BlockTriangle<T, unit>& triangle, int order) {
    Sum<T> sum[1][C];
    multiply_block<T, 1, C, Right::plain, false>(k, strip, lanes<T>, b_above, ldb, order, sum);
    Vector<T> x[C];
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c) {
        const T* p = b + static_cast<count_t>(c) * ldb;
        x[c] = (masked ? load_span<T>(p, 0, order) : load<T>(p)) - sum[0][c].total(false);
    }
    [&]<int... r>(std::integer_sequence<int, r...>) __attribute__((always_inline)) {
        [[maybe_unused]] const auto step = [&]<int lane>(std::integral_constant<int, lane>)
            __attribute__((always_inline)) {
#pragma GCC unroll 8
            for (int c = 0; c < C; ++c)
                x[c] = subtract_lane<lane, T>(x[c], triangle.column[lane], triangle.column_i[lane], x[c]);
        };
        (step(std::integral_constant<int, r>{}), ...);
    }
    (std::make_integer_sequence<int, lanes<T> - 1>{});
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c) {
        T* p = b + static_cast<count_t>(c) * ldb;
        x[c] = triangle.divide(x[c]);
        if (masked)
            store_span<T>(p, x[c], 0, order);
        else
            store<T>(p, x[c]);
    }
}

template <class T, bool masked, bool unit>
FROND_INLINE void left_solve_rows(index_t k, index_t m, const T* l, index_t ldl, T* b, index_t ldb, int order) {
    BlockTriangle<T, unit> triangle;
    triangle.take(l + k + static_cast<count_t>(k) * ldl, ldl, order);
    alignas(64) std::byte storage[sizeof(Vector<T>) * left_solve_order];
    T* strip = reinterpret_cast<T*>(storage);
    for (index_t p = 0; p < k; ++p) {
        const T* from = l + k + static_cast<count_t>(p) * ldl;
        store<T>(strip + p * lanes<T>, masked ? load_span<T>(from, 0, order) : load<T>(from));
    }
    for_each_column_block<T>(
        m, [&]<int C>(index_t j) __attribute__((always_inline)) {
            T* columns = b + static_cast<count_t>(j) * ldb;
            left_solve_block<T, C, masked, unit>(k, strip, columns, columns + k, ldb, triangle, order);
        });
}

/// B [n, m] := L^-1 B, L [n, n] lower triangular, n <= left_solve_order.
template <class T, bool unit>
void left_solve_lower(index_t n, index_t m, const T* l, index_t ldl, T* b, index_t ldb) {
    index_t k = 0;
    for (; k + lanes<T> <= n; k += lanes<T>) left_solve_rows<T, false, unit>(k, m, l, ldl, b, ldb, lanes<T>);
    if (k < n) left_solve_rows<T, true, unit>(k, m, l, ldl, b, ldb, static_cast<int>(n - k));
}

// X := X M^-1 for an upper triangular M = L^T, L^H or U: left-looking by blocks of columns, product
// with the columns already solved and substitution in one pass over X, in registers.

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
