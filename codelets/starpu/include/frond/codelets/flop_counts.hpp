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

}  // namespace frond
