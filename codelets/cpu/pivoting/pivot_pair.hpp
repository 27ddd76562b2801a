// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../divide_by_pivots.hpp"
#include "../scalar.hpp"

#include <algorithm>
#include <cmath>

namespace frond::cpu {

/// A candidate 2x2 pivot [d1 e'; e d2], scaled by e so that its determinant does not overflow; where it
/// does all the same, e is nothing against the diagonal, and the pair no pivot.
template <class T>
struct PivotPair {
    using R = real_t<T>;

    /// Bound on |l| in both columns: |D^-1| [outside1; outside2] (Hogg, Ovtchinnikov & Scott
    /// 2016, equation 5).
    double bound = HUGE_VAL;

    PivotPair() = default;

    /// outside: largest entry of each column in the other rows. The bound stays infinite when the
    /// smallest singular value may be at or below zero, and when the determinant has lost so many
    /// digits that the bound itself were in doubt (equation 6, with 1/4 in place of 1/2).
    PivotPair(T d1, T e, T d2, bool hermitian, const R outside[2], R zero) {
        const T s = multiply(d1 / conjugate_if(hermitian, e), d2 / e);
        const double product = std::abs(s), determinant = std::abs(s - T(1));  // over |e|^2
        if (!std::isfinite(product)) return;
        if (!(determinant >= 0.25 * std::max(product, 1.0))) return;
        const double size = std::abs(e), norm = std::max<double>(std::abs(d1), std::abs(d2)) + size;
        if (!(determinant * (size / norm) * size > static_cast<double>(zero))) return;
        const TwoByTwoInverse<T> inverse(d1, e, d2, hermitian);
        const auto row = [&](T x, T y) {
            return static_cast<double>(std::abs(x)) * static_cast<double>(outside[0]) +
                   static_cast<double>(std::abs(y)) * static_cast<double>(outside[1]);
        };
        const double both[2] = {row(inverse.a11, inverse.a21), row(inverse.a12, inverse.a22)};
        if (std::isfinite(both[0]) && std::isfinite(both[1])) bound = std::max(both[0], both[1]);
    }
};

}  // namespace frond::cpu
