// SPDX-License-Identifier: BSD-3-Clause
// L D and L of the rows below a diagonal block with 1x1 pivots, in one pass that also finds the
// largest |l|.
#pragma once

#include "largest_magnitude.hpp"
#include "right_solve_kernels.hpp"

namespace frond::cpu::FROND_ISA {

/// l_d [m, n] := A L11^-T (conjugated: L11^-H), x := l_d D^-1, unit L11 [n, n]. A may be either of
/// them. Returns the largest |re| + |im| of x, infinity when one is NaN.
template<class T>
real_t<T> solve_ldlt_rows(index_t m, index_t n, const T* l11, index_t ldl, bool conjugated,
                          const T* pivots, const T* a, index_t lda, T* x, index_t ldx, T* l_d,
                          index_t ld_l_d) {
    LargestMagnitude<T> largest;
    for_each_column_block<T>(
        n, [&]<int C>(index_t j) __attribute__((always_inline)) {
            TriangleCoefficients<T, C> triangle;
            triangle.take_lower(l11 + j + static_cast<count_t>(j) * ldl, ldl, conjugated, true);
            T inverse[C];
            for (int c = 0; c < C; ++c) inverse[c] = T(1) / pivots[2 * (j + c)];
            const T* a_j = a + static_cast<count_t>(j) * lda;
            T *x_j = x + static_cast<count_t>(j) * ldx,
              *d_j = l_d + static_cast<count_t>(j) * ld_l_d;
            for_each_strip<T>(
                m, [&]<int V, bool masked>(index_t i, int last) __attribute__((always_inline)) {
                    right_solve_block<T, V, C, Right::transposed, masked, true>(
                        j, l_d + i, ld_l_d, l11 + j, ldl, conjugated, triangle, a_j + i, lda,
                        last, [&](int c, int v, Vector<T> y) __attribute__((always_inline)) {
                            const Vector<T> l = scaled<T>(y, inverse[c]);
                            largest.look_at(l);
                            const count_t column = c;
                            store_in_strip<T, V, masked>(d_j + i + column * ld_l_d, v, y, last);
                            store_in_strip<T, V, masked>(x_j + i + column * ldx, v, l, last);
                        });
                });
        });
    return largest.value();
}

} // namespace frond::cpu::FROND_ISA
