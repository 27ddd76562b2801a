// SPDX-License-Identifier: BSD-3-Clause
// L of the rows below a diagonal block with 1x1 pivots, in one pass that also finds the largest
// |l|.
#pragma once

#include "../largest_magnitude.hpp"
#include "../products/right_solve_kernels.hpp"
#include "../products/scaled_rows.hpp"

namespace frond::cpu::FROND_ISA {

/// x [m, n] := A L11^-T D^-1 (conjugated: L11^-H), unit L11 [n, n], n <= ldlt_rows_order; A may be
/// x. with_l_d: also l_d := x D, and A may be l_d. Returns the largest |re| + |im| of x,
/// infinity when one is NaN.
template <class T, bool with_l_d>
real_t<T> solve_ldlt_rows(index_t m, index_t n, const T* l11, index_t ldl, bool conjugated, const T* pivots, const T* a,
                          index_t lda, T* x, index_t ldx, T* l_d, index_t ld_l_d) {
    ScaledRows<T, simd::ldlt_rows_order> rows;
    LargestMagnitude<T> largest;
    for_each_column_block<T>(
        n, [&]<int C>(index_t j) __attribute__((always_inline)) {
            TriangleCoefficients<T, C> triangle;
            triangle.take_lower(l11 + j + static_cast<count_t>(j) * ldl, ldl, conjugated, true);
            for (int c = 0; c < C; ++c) triangle.inverse[c] = T(1) / pivots[2 * (j + c)];
            const T* right = rows.template take<C>(j, l11 + j, ldl, pivots);
            const T* a_j = a + static_cast<count_t>(j) * lda;
            for_each_strip<T>(
                m, [&]<int V, bool masked>(index_t i, int last) __attribute__((always_inline)) {
                    right_solve_block<T, V, C, Right::transposed, masked, true>(
                        j, x + i, ldx, right, C, conjugated, triangle, a_j + i, lda,
                        last, [&](int c, int v, Vector<T> y) __attribute__((always_inline)) {
                            const Vector<T> l = scaled<T>(y, triangle.inverse[c]);
                            const count_t column = j + c;
                            largest.look_at(l);
                            store_in_strip<T, V, masked>(x + i + column * ldx, v, l, last);
                            if constexpr (with_l_d) store_in_strip<T, V, masked>(l_d + i + column * ld_l_d, v, y, last);
                        });
                });
        });
    return largest.value();
}

}  // namespace frond::cpu::FROND_ISA
