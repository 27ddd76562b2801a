// SPDX-License-Identifier: BSD-3-Clause
// L L^H of the first columns of a matrix, used for diagonal blocks and for whole fronts.
#pragma once

#include "frond/cpu/kernels.hpp"
#include "pivoting/static_perturbation.hpp"
#include "simd/kernel_table.hpp"

#include <algorithm>

namespace frond::cpu {

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
