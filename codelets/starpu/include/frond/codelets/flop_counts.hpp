// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

namespace frond {

// Real operations of the tile kernels for a real scalar; complex scalars cost four times as many.
// Leading terms as in LAPACK Working Note 41, appendix C.

template <class T>
inline constexpr double flops_per_real = is_complex<T> ? 4.0 : 1.0;

/// L L^H or L D L^T of n columns: n^3 / 3 + n^2 / 2 + n / 6.
constexpr double factor_symmetric_flops(double n) { return n * (n * (n / 3 + 0.5) + 1.0 / 6); }
/// L U of n columns: 2 n^3 / 3 - n^2 / 2 - n / 6.
constexpr double factor_lu_flops(double n) { return n * (n * (2 * n / 3 - 0.5) - 1.0 / 6); }
/// Triangular solve with n columns on m rows.
constexpr double solve_panel_flops(double m, double n) { return m * n * n; }
constexpr double update_flops(double m, double n, double k) { return 2 * m * n * k; }
/// Lower triangle only.
constexpr double update_lower_flops(double n, double k) { return n * (n + 1) * k; }

// What threshold pivoting adds. Pending: rows and columns taken along, before the panel.

/// Settling a panel of n columns with `below` rows after it, of which `kept` columns stay: solves and
/// updates of the failed columns; the columns not kept are multiplied back.
constexpr double accept_symmetric_flops(double n, double kept, double below, double failed) {
    const double back = n - kept;
    return solve_panel_flops(failed, n) + update_flops(failed, below, kept) + update_lower_flops(failed, kept) +
           back * back * (below + failed + back / 3);
}
constexpr double accept_lu_flops(double n, double kept, double below, double rows, double cols) {
    const double back = n - kept;
    return solve_panel_flops(rows + cols, n) + update_flops(rows + cols, below, kept) + update_flops(rows, cols, kept) +
           update_flops(below + rows, back, kept) + back * back * (below + cols + 2 * back / 3);
}

/// Second pass, without the contribution block: `pivots` columns of f with r rows below them; a column
/// with w columns to its right takes w + r divisions and two operations for each entry updated.
constexpr double second_pass_symmetric_flops(double f, double r, double pivots) {
    double sum = 0;
    for (double w = f - 1; w >= f - pivots; --w) sum += w + r + w * (w + 1) + 2 * w * r;
    return sum;
}
/// The same for LU with m rows that may be pivots; r is also the number of columns to the right.
constexpr double second_pass_lu_flops(double m, double f, double r, double pivots) {
    double sum = 0;
    for (double p = 1; p <= pivots; ++p) sum += (m + r - p) * (1 + 2 * (f - p)) + 2 * (m - p) * r;
    return sum;
}

}  // namespace frond
