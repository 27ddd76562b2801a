// SPDX-License-Identifier: BSD-3-Clause
// Random blocks, flop counts and the rate of dgemm at the same volume.
#pragma once

#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"

#include <cmath>
#include <random>
#include <vector>

namespace frond::bench {

template <class T>
struct Block {
    index_t rows, cols;
    std::vector<T> values;

    Block(index_t m, index_t n) : rows(m), cols(n), values(static_cast<std::size_t>(m) * n + 1) {}

    DenseView<T> view() { return {values.data(), rows, cols, std::max<index_t>(rows, 1)}; }

    DenseView<const T> view() const { return {values.data(), rows, cols, std::max<index_t>(rows, 1)}; }
};

/// Entries in [-1, 1); diagonal_shift on the diagonal, which is real.
template <class T>
Block<T> random_block(index_t m, index_t n, double diagonal_shift, unsigned seed = 1) {
    Block<T> a(m, n);
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> value(-1, 1);
    for (T& x : a.values) {
        x = static_cast<real_t<T>>(value(engine));
        if constexpr (is_complex<T>) x += T(0, static_cast<real_t<T>>(value(engine)));
    }
    for (index_t j = 0; j < std::min(m, n); ++j) {
        T& d = a.view()(j, j);
        d = real_part(d) + static_cast<real_t<T>>(diagonal_shift);
    }
    return a;
}

/// Real operations of one multiplication and addition of T.
template <class T>
constexpr double flops_per_product() {
    return is_complex<T> ? 8 : 2;
}

/// Multiplications of a partial factorization: sum over pivots of half (symmetric) or all of the
/// square of the order that remains.
inline double front_products(bool symmetric, double npiv, double nfront) {
    double sum = 0;
    for (double k = 0; k < npiv; ++k) {
        const double rest = nfront - k - 1;
        sum += symmetric ? rest * (rest + 1) / 2 + rest : rest * rest + rest;
    }
    return sum;
}

}  // namespace frond::bench
