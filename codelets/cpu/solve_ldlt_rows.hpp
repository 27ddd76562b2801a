// SPDX-License-Identifier: BSD-3-Clause
// Rows below a block of L D L^T with 1x1 pivots, piece by piece.
#pragma once

#include "frond/cpu/dense_view.hpp"
#include "simd/kernel_table.hpp"

#include <algorithm>

namespace frond::cpu {

/// Rows of X solved together: with the triangle they fill a part of the second cache.
template <class T>
inline constexpr index_t rows_at_once = 2048 / static_cast<index_t>(sizeof(T));

template <class T>
bool has_two_by_two(index_t n, const T* pivots) {
    for (index_t k = 0; k < n; ++k)
        if (pivots[2 * k + 1] != T(0)) return true;
    return false;
}

/// x [m, n] := A L11^-T D^-1 (hermitian: L11^-H), n <= simd::ldlt_rows_order; l_d := x D, unless it
/// has no columns. A is x or l_d. Returns the largest |re| + |im| of x, infinity when one is NaN.
template <class T>
double solve_ldlt_rows(DenseView<const T> l11, bool hermitian, const T* pivots, DenseView<const T> a, DenseView<T> x,
                       DenseView<T> l_d) {
    const simd::KernelTable<T>& kernels = simd::kernels<T>();
    real_t<T> largest = 0;
    for (index_t i = 0; i < x.rows; i += rows_at_once<T>) {
        const index_t m = std::min(rows_at_once<T>, x.rows - i);
        const real_t<T> of_piece =
            l_d.cols == 0 ? kernels.solve_ldlt_rows(m, x.cols, l11.data, l11.ld, hermitian, pivots, &a(i, 0), a.ld,
                                                    &x(i, 0), x.ld, nullptr, 0)
                          : kernels.solve_ldlt_rows_both(m, x.cols, l11.data, l11.ld, hermitian, pivots, &a(i, 0), a.ld,
                                                         &x(i, 0), x.ld, &l_d(i, 0), l_d.ld);
        largest = std::max(largest, of_piece);
    }
    return largest;
}

}  // namespace frond::cpu
