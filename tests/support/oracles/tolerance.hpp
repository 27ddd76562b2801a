// SPDX-License-Identifier: BSD-3-Clause
// Bounds that tests compare with, derived from operation counts. One that was found by trial is a constant whose comment
// says so.
#pragma once

#include "frond/base/types.hpp"

#include <cmath>
#include <limits>

namespace frond::test {

template <class T>
constexpr double epsilon() {
    return static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
}

/// gamma_k = k u / (1 - k u) bounds the relative error of a chain of k operations
/// (Higham 2002, lemma 3.1); a complex product counts as 2 sqrt 2 real ones (section 3.6).
/// u = eps / 2. Factor 2 for products with reciprocals in place of divisions.
template <class T>
double rounding_bound(count_t operations) {
    const double per_operation = is_complex<T> ? 2.83 : 1.0;
    return 2 * per_operation * static_cast<double>(operations + 2) * epsilon<T>() / 2;
}

/// |value - expected| <= bound |expected|. (doctest::Approx adds 1 to |expected|: near 0 it takes everything for equal.)
inline bool is_near(double value, double expected, double bound) {
    return std::abs(value - expected) <= bound * std::abs(expected);
}

}  // namespace frond::test
