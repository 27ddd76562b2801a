// SPDX-License-Identifier: BSD-3-Clause
// Values of other steps of a computation in the same pattern.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "frond/matrix/sparse_matrix.hpp"

namespace frond::test {

/// D A D, D random between 1 and 1 + range.
template <class T>
SparseMatrix<T> scaled_both_sides(SparseMatrix<T> a, double range, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> factor(1, 1 + range);
    std::vector<double> d(static_cast<std::size_t>(a.cols()));
    for (double& x : d) x = factor(generator);
    for (index_t j = 0; j < a.cols(); ++j)
        for (auto e = static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j)]);
             e < static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j) + 1]); ++e)
            a.value[e] *=
                static_cast<real_t<T>>(d[static_cast<std::size_t>(a.pattern.row[e])] * d[static_cast<std::size_t>(j)]);
    return a;
}

/// Every entry times a random number between 2^-bits and 2^bits of its own.
template <class T>
SparseMatrix<T> with_independent_factors(SparseMatrix<T> a, double bits, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> exponent(-bits, bits);
    for (T& v : a.value) v *= static_cast<real_t<T>>(std::exp2(exponent(generator)));
    return a;
}

}  // namespace frond::test
