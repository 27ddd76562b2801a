// SPDX-License-Identifier: BSD-3-Clause
// Internal to scaling/.
#pragma once

#include "frond/base/types.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace frond {

/// Exponents of 0, and of what is not finite.
constexpr int exponent_of_zero = -32000, exponent_of_infinity = 32000;

/// e of 2^e <= |x| < 2^(e+1), from the bits; subnormal numbers count as the smallest normal one.
inline int exponent_of(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x) << 1;
    const int field = static_cast<int>(bits >> 53);
    if (field == 0) return bits == 0 ? exponent_of_zero : -1022;
    return field == 2047 ? exponent_of_infinity : field - 1023;
}
inline int exponent_of(float x) { return exponent_of(static_cast<double>(x)); }
/// The exponent of the larger part: |x| is at most sqrt(2) times as large.
template <class R>
int exponent_of(std::complex<R> x) {
    return std::max(exponent_of(x.real()), exponent_of(x.imag()));
}

/// The exponent of x 2^shift.
inline int shifted(int exponent, int shift) {
    return std::abs(exponent) >= exponent_of_infinity ? exponent : exponent + shift;
}

}  // namespace frond
