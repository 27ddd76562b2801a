// SPDX-License-Identifier: BSD-3-Clause
// B := L^-1 B for unit lower triangular L: blocks of as many rows as a vector has lanes,
// substitution inside the vector by broadcasting its lanes.
#pragma once

#include "../broadcast_lane.hpp"
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

}  // namespace frond::cpu::FROND_ISA
