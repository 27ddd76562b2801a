// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/cpu/dense_view.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace frond {

/// y / |y|, and 1 for 0: the entries of the subgradient of ||y||_1.
template <class T>
T sign_of(T y) {
    if constexpr (is_complex<T>) {
        const auto size = std::abs(y);
        return size > 0 ? y / size : T(1);
    } else {
        return y < 0 ? T(-1) : T(1);
    }
}

/// Vectors X [n, t] for a block estimator, with entries of size 1 where they are signs. Random signs come from a fixed
/// seed.
template <class T>
class SignVectors {
public:
    SignVectors(index_t n, index_t t) : n_(n), t_(t), x_(at(n) * at(t)), before_(x_.size()) {}

    DenseView<T> view() { return {x_.data(), n_, t_, n_}; }
    T* column(index_t j) { return column_of(x_, j); }
    void clear() { std::fill(x_.begin(), x_.end(), T(0)); }

    /// e / n and random signs / n, no two parallel.
    void start() {
        std::fill(x_.begin(), x_.end(), T(1));
        for (index_t j = 1; j < t_; ++j) {
            do randomize(j);
            while (parallel_to_earlier(j));
        }
        const T share = T(1) / T(static_cast<real_t<T>>(n_));
        for (T& x : x_) x *= share;
    }

    /// X := sign(X); false when every column repeats one of the signs before (real only: n random phases are never
    /// parallel). first: there are none before.
    bool make_signs(bool first) {
        for (T& x : x_) x = sign_of(x);
        if constexpr (!is_complex<T>) {
            index_t repeated = 0;
            for (index_t j = 0; j < t_ && !first; ++j) repeated += parallel_to_before(j);
            if (repeated == t_) return false;
            for (index_t j = 0; j < t_ && t_ > 1; ++j) replace_if_parallel(j, !first);
            before_ = x_;
        }
        return true;
    }

private:
    T* column_of(std::vector<T>& x, index_t j) { return x.data() + static_cast<count_t>(j) * n_; }

    void randomize(index_t j) {
        T* const x = column(j);
        for (index_t i = 0; i < n_; ++i) x[i] = (random_() >> 63) != 0 ? T(1) : T(-1);
    }

    /// Columns of +1 and -1 only.
    bool parallel(const T* a, const T* b) const {
        const T first = a[0] * b[0];
        for (index_t i = 1; i < n_; ++i)
            if (a[i] * b[i] != first) return false;
        return true;
    }

    bool parallel_to_earlier(index_t j) {
        for (index_t k = 0; k < j; ++k)
            if (parallel(column(j), column(k))) return true;
        return false;
    }

    bool parallel_to_before(index_t j) {
        for (index_t k = 0; k < t_; ++k)
            if (parallel(column(j), column_of(before_, k))) return true;
        return false;
    }

    /// Few trials: for very small n there may be no other direction left.
    void replace_if_parallel(index_t j, bool also_before) {
        constexpr int trials = 20;
        for (int k = 0; k < trials; ++k) {
            if (!parallel_to_earlier(j) && !(also_before && parallel_to_before(j))) return;
            randomize(j);
        }
    }

    index_t n_, t_;
    std::mt19937_64 random_{2000};
    std::vector<T> x_, before_;
};

}  // namespace frond
