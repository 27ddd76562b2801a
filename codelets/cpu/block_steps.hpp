// SPDX-License-Identifier: BSD-3-Clause
// Steps of blocks that several kernels share.
#pragma once

#include "frond/cpu/dense_view.hpp"
#include "frond/cpu/kernels.hpp"
#include "pivoting/static_perturbation.hpp"
#include "simd/kernel_table.hpp"

#include <algorithm>

namespace frond::cpu {

/// B := L^-1 B, by blocks of rows: an update with the rows already solved, then substitution.
template <class T>
void solve_left_lower(DenseView<const T> l, bool unit, DenseView<T> b) {
    const auto& kernels = simd::kernels<T>();
    const auto solve = unit ? kernels.left_solve_unit_lower : kernels.left_solve_lower;
    const index_t n = b.rows;
    for (index_t i = 0; i < n; i += simd::left_triangle_order) {
        const index_t height = std::min(simd::left_triangle_order, n - i);
        const auto block = b.block(i, 0, height, b.cols);
        if (i > 0) update_general<T>(l.block(i, 0, height, i), b.block(0, 0, i, b.cols), block);
        const auto triangle = l.block(i, i, height, height);
        solve(height, b.cols, triangle.data, triangle.ld, block.data, block.ld);
    }
}

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

/// Columns factored by one call of the register-blocked kernel.
inline constexpr index_t llt_block = 128;
/// Panels of up to so many rows are factored with all their rows in that call.
inline constexpr index_t llt_rows = 256;

/// Columns j .. j + width of panel, all rows; returns the first that fails, or -1.
template <class T>
index_t factor_llt_columns(DenseView<T> panel, index_t j, index_t width, LogProduct& product, PivotSizes& sizes) {
    real_t<T> squares[llt_block];
    const index_t below = panel.rows - j - width;
    const bool at_once = panel.rows - j <= llt_rows;
    const index_t failed =
        simd::kernels<T>().llt_panel(at_once ? panel.rows - j : width, width, &panel(j, j), panel.ld, squares);
    for (index_t k = 0; k < (failed < 0 ? width : failed); ++k) {
        product.multiply_by(static_cast<double>(squares[k]));
        sizes.see(static_cast<double>(squares[k]));
    }
    if (failed >= 0) return j + failed;
    if (!at_once) solve_panel_llt<T>(panel.block(j, j, width, width), panel.block(j + width, j, below, width));
    return -1;
}

/// [L11; L21] of a panel [m, n], m >= n: right-looking by blocks of columns.
template <class T>
void factor_llt_panel(DenseView<T> panel, PivotReport& report) {
    const index_t m = panel.rows, n = panel.cols;
    LogProduct product;
    PivotReport own;
    index_t failed = -1;
    for (index_t j = 0; j < n && failed < 0; j += llt_block) {
        const index_t width = std::min(llt_block, n - j), rest = j + width;
        failed = factor_llt_columns(panel, j, width, product, own.sizes);
        if (failed >= 0 || rest == n) break;
        const auto l = panel.block(rest, j, n - rest, width);
        update_lower<T>(l, l, true, panel.block(rest, rest, n - rest, n - rest));
        update_transposed<T>(panel.block(n, j, m - n, width), l, true, panel.block(n, rest, m - n, n - rest));
    }
    own.failed_column = failed;
    own.positive = failed < 0 ? n : failed;
    own.log_abs_determinant = product.value();
    report += own;
}

}  // namespace frond::cpu
