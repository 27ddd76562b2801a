// SPDX-License-Identifier: BSD-3-Clause
// Internal to scaling/.
#pragma once

#include "frond/base/types.hpp"
#include "frond/matrix/magnitude_of.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace frond {

/// Both triangles of a matrix of which the lower one is stored.
struct MagnitudeMatrix {
    Pattern pattern;
    std::vector<double> magnitude;
};

MagnitudeMatrix both_triangles(const Pattern& lower, const std::vector<double>& magnitude);

/// All entries of A and their magnitudes.
template <class T>
MagnitudeMatrix full_magnitudes(const SparseMatrix<T>& a) {
    std::vector<double> magnitude = magnitudes_of(a.value);
    if (a.symmetry == Symmetry::general) return {a.pattern, std::move(magnitude)};
    return both_triangles(a.pattern, magnitude);
}

/// Entry (i, j), or -1. O(log entries of column j).
count_t find_entry(const Pattern& a, index_t i, index_t j);

// Internal to scaling/.

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
