// SPDX-License-Identifier: BSD-3-Clause
// Internal to scaling/.
#pragma once

#include "frond/matrix/magnitude_of.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <algorithm>
#include <cmath>
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

}  // namespace frond
