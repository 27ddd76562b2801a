// SPDX-License-Identifier: BSD-3-Clause
// Rank of small dense matrices by elimination with complete pivoting in extended precision.
#pragma once

#include "dense_oracle.hpp"

#include <algorithm>

namespace frond::test {

/// Exchanges rows and columns so that the largest entry of a(k.., k..) stands at (k, k).
inline void swap_largest(DenseMatrix& a, index_t k) {
    index_t p = k, q = k;
    for (index_t j = k; j < a.cols; ++j)
        for (index_t i = k; i < a.rows; ++i)
            if (std::abs(a(i, j)) > std::abs(a(p, q))) p = i, q = j;
    for (index_t j = 0; j < a.cols; ++j) std::swap(a(k, j), a(p, j));
    for (index_t i = 0; i < a.rows; ++i) std::swap(a(i, k), a(i, q));
}

/// |pivot| of each step, zeros where nothing is left.
inline std::vector<double> complete_pivots(DenseMatrix a) {
    const index_t steps = std::min(a.rows, a.cols);
    std::vector<double> pivots(static_cast<std::size_t>(steps), 0.0);
    for (index_t k = 0; k < steps; ++k) {
        swap_largest(a, k);
        pivots[static_cast<std::size_t>(k)] = static_cast<double>(std::abs(a(k, k)));
        if (a(k, k) == Wide(0)) break;
        for (index_t i = k + 1; i < a.rows; ++i) {
            const Wide l = a(i, k) / a(k, k);
            if (l == Wide(0)) continue;
            for (index_t j = k; j < a.cols; ++j) a(i, j) -= l * a(k, j);
        }
    }
    return pivots;
}

/// Pivots above `tolerance` times the largest entry.
inline index_t dense_rank(const DenseMatrix& a, double tolerance) {
    index_t rank = 0;
    const double limit = tolerance * largest(a);
    for (const double pivot : complete_pivots(a)) rank += pivot > limit;
    return rank;
}

/// Indices 0 .. n - 1 that are not in `removed` (ascending).
inline std::vector<index_t> others(index_t n, const std::vector<index_t>& removed) {
    std::vector<index_t> left;
    for (index_t i = 0; i < n; ++i)
        if (!std::binary_search(removed.begin(), removed.end(), i)) left.push_back(i);
    return left;
}

}  // namespace frond::test
