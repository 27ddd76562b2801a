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
    double pure = 0;  // max |r_i| / (|op(A)| |x| + |b|)_i
    // The largest |r_i| by the largest |b_i|, both divided by (|op(A)| s)_i: of all rows, and of those that their second
    // denominators excuse although they miss by more than violated_share of the first.
    double share_of_b = 0, violated_share_of_b = 0;
};

/// The second denominators count ||x|| up to so many times max_i (|op(A)| |x| + |b|)_i / (|op(A)| e)_i: an unknown that no
/// row sees, such as that of a zero column, excuses no residual. The same holds with s in place of e.
inline constexpr double most_beyond_seen = 1000;
inline constexpr double violated_share = 0.5;
/// Larger shares of b say that x does not solve for this b. That of all rows counts with raised pivots alone: if A is
/// singular, refinement with these makes x so large that A x is rounding, and leaves what of b is outside the range, be that
/// spread over many rows. With exact pivots a large x may be right to all digits.
inline constexpr double most_violated_share_of_b = 0.1, most_share_of_b = 0.01;

struct BackwardError {
    /// ||r||_inf / (||op(A)||_inf ||x||_inf + ||b||_inf)                 (Rigal & Gaches 1967)
    double normwise = 0;
    /// max_i |r_i| / (|op(A)| |x| + |b|)_i                               (Oettli & Prager 1964)
    /// where that denominator is above tau_i, else / (|op(A)| |x| + t)_i with the smaller of
    /// t = |op(A)| e ||x||_inf and |op(A)| s ||S^-1 x||_inf, S = diag(s): the rule of Arioli, Demmel
    /// & Duff 1989 (section 4) for the system as it is and for the one with unknowns S^-1 x.
    double componentwise = 0;
    double pure = 0;  // max_i |r_i| / (|op(A)| |x| + |b|)_i of all rows
    double excess = 0;  // a share of b by the largest that it may be

    /// What decides between solutions: above 1 where the residual is too large a part of b.
    double decisive() const { return excess > 1 ? std::max(componentwise, excess) : componentwise; }
    /// The componentwise error as reports have it: 1 in place of a small one where the residual is too large a part of b.
    double told() const {
        constexpr double small = 1e-3;
        return excess > 1 && componentwise <= small ? 1 : componentwise;
    }
};

/// The denominator of row i in the componentwise error. weight: (|op(A)| |x| + |b|)_i; size_b: |b_i|; row_bound: the
/// smaller t_i above; tau_i = tiny (t_i + |b_i|).
inline double error_denominator(double weight, double size_b, double row_bound, double tiny) {
    const double large = std::max(weight - size_b, 0.0) + row_bound;
    const double chosen = weight > tiny * (row_bound + size_b) ? weight : large;
    return chosen == 0 ? size_b : chosen;
}

/// The largest residual by the largest b, where both are numbers: the rows of b = 0 are exact, or have no solution.
inline double quotient_of_b(double r, double b) { return b > 0 && std::isfinite(b) ? r / b : 0; }

/// norm: ||op(A)||_inf. Infinite, never NaN and never small, when x or r is not finite. perturbed: pivots were raised.
inline BackwardError backward_error(const ResidualSizes& size, double norm, bool perturbed = false) {
    const bool finite = std::isfinite(size.x);
    Largest normwise, componentwise, pure;
    normwise.see(finite ? trusted_quotient(size.r, norm * size.x + size.b) : size.x);
    componentwise.see(finite ? size.componentwise : size.x);
    pure.see(finite ? size.pure : size.x);
    const double excess = std::max(size.violated_share_of_b / most_violated_share_of_b,
                                   perturbed ? size.share_of_b / most_share_of_b : 0);
    return {normwise.value(), componentwise.value(), pure.value(), excess};
}

}  // namespace frond
