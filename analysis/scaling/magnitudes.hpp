// SPDX-License-Identifier: BSD-3-Clause
// Internal to scaling/.
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace frond {

/// |x| as double without overflow or underflow on the way; std::hypot costs ten times as much.
template <class T>
double magnitude_of(T x) {
    if constexpr (is_complex<T>) {
        const double re = std::abs(static_cast<double>(x.real()));
        const double im = std::abs(static_cast<double>(x.imag()));
        const double most = std::max(re, im);
        if (most == 0) return 0;
        const double ratio = std::min(re, im) / most;
        return most * std::sqrt(1 + ratio * ratio);
    } else {
        return std::abs(static_cast<double>(x));
    }
}

/// Of the stored entries.
template <class T>
std::vector<double> magnitudes_of(const std::vector<T>& value) {
    std::vector<double> magnitude(value.size());
    for (std::size_t e = 0; e < value.size(); ++e) magnitude[e] = magnitude_of(value[e]);
    return magnitude;
}

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

}  // namespace frond
