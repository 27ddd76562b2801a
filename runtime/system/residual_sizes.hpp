// SPDX-License-Identifier: BSD-3-Clause
// What is measured of one solution, and the errors that follow from it: the same for vectors of the host and of a
// device.
#pragma once

#include "system/largest_magnitude.hpp"

#include <algorithm>

namespace frond {

/// The sizes for one right-hand side, in the inf-norm; NaN counts as infinite.
struct ResidualSizes {
    double x = 0, b = 0, r = 0;
    double componentwise = 0;  // max |r_i| / denominator_i, see BackwardError
};

struct BackwardError {
    /// ||r||_inf / (||op(A)||_inf ||x||_inf + ||b||_inf)                 (Rigal & Gaches 1967)
    double normwise = 0;
    /// max_i |r_i| / (|op(A)| |x| + |b|)_i                               (Oettli & Prager 1964)
    /// where that denominator is above tau_i, else / (|op(A)| |x| + t)_i with the smaller of
    /// t = |op(A)| e ||x||_inf and |op(A)| s ||S^-1 x||_inf, S = diag(s): the rule of Arioli, Demmel
    /// & Duff 1989 (section 4) for the system as it is and for the one with unknowns S^-1 x.
    double componentwise = 0;
};

/// The denominator of row i in the componentwise error. weight: (|op(A)| |x| + |b|)_i; size_b: |b_i|; row_bound: the
/// smaller t_i above; tau_i = tiny (t_i + |b_i|).
inline double error_denominator(double weight, double size_b, double row_bound, double tiny) {
    const double large = std::max(weight - size_b, 0.0) + row_bound;
    const double chosen = weight > tiny * (row_bound + size_b) ? weight : large;
    return chosen == 0 ? size_b : chosen;
}

/// norm: ||op(A)||_inf. Infinite, never NaN and never small, when x or r is not finite.
inline BackwardError backward_error(const ResidualSizes& size, double norm) {
    const bool finite = std::isfinite(size.x);
    Largest normwise, componentwise;
    normwise.see(finite ? trusted_quotient(size.r, norm * size.x + size.b) : size.x);
    componentwise.see(finite ? size.componentwise : size.x);
    return {normwise.value(), componentwise.value()};
}

}  // namespace frond
