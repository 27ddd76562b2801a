// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <cmath>
#include <complex>
#include <type_traits>
#include <vector>

namespace frond {

/// Sums run in double, so that single-precision vectors of millions lose nothing.
template <class T>
using Accumulator = std::conditional_t<is_complex<T>, std::complex<double>, double>;

/// min ||beta e_1 - H y||_2 with H upper Hessenberg, [k + 1, k], which grows by a column at a time: a QR factorization by
/// Givens rotations (Saad & Schultz 1986, section 3.2).
template <class T>
class HessenbergLeastSquares {
public:
    using Sum = Accumulator<T>;

    explicit HessenbergLeastSquares(index_t most_columns)
        : m_(most_columns),
          h_(static_cast<std::size_t>(most_columns + 1) * static_cast<std::size_t>(most_columns)),
          g_(static_cast<std::size_t>(most_columns) + 1),
          c_(g_.size()),
          s_(g_.size()) {}

    index_t size() const { return k_; }

    void start(double beta) {
        k_ = 0;
        g_[0] = Sum(beta);
    }

    /// Entry (i, k) of the column that append() takes next.
    Sum& next(index_t i) { return h(i, k_); }

    /// Takes the column in, by the former rotations and a new one that makes h(k+1, k) zero.
    void append() {
        rotate();
        ++k_;
    }

    /// 2-norm of the residual so far.
    double residual_norm() const { return std::abs(g_[static_cast<std::size_t>(k_)]); }

    /// y; y_k of a zero diagonal entry is 0.
    std::vector<Sum> solve() const {
        std::vector<Sum> y(static_cast<std::size_t>(k_));
        for (index_t i = k_ - 1; i >= 0; --i) {
            Sum sum = g_[static_cast<std::size_t>(i)];
            for (index_t j = i + 1; j < k_; ++j) sum -= h(i, j) * y[static_cast<std::size_t>(j)];
            const Sum d = h(i, i);
            y[static_cast<std::size_t>(i)] = d == Sum(0) ? Sum(0) : sum / d;
        }
        return y;
    }

private:
    Sum& h(index_t i, index_t j) { return h_[place(i, j)]; }
    const Sum& h(index_t i, index_t j) const { return h_[place(i, j)]; }
    std::size_t place(index_t i, index_t j) const {
        return static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(m_ + 1);
    }

    void rotate() {
        for (index_t i = 0; i < k_; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const Sum a = h(i, k_), b = h(i + 1, k_);
            h(i, k_) = c_[at] * a + s_[at] * b;
            h(i + 1, k_) = c_[at] * b - conjugate(s_[at]) * a;
        }
        const auto at = static_cast<std::size_t>(k_);
        const Sum a = h(k_, k_), b = h(k_ + 1, k_);
        const double length = std::hypot(std::abs(a), std::abs(b));
        const double size = std::abs(a);
        c_[at] = length == 0 ? 1 : size / length;
        const Sum phase = size == 0 ? Sum(1) : a / size;
        s_[at] = length == 0 ? Sum(0) : phase * conjugate(b) / length;
        h(k_, k_) = phase * length;
        h(k_ + 1, k_) = Sum(0);
        g_[at + 1] = -conjugate(s_[at]) * g_[at];
        g_[at] = c_[at] * g_[at];
    }

    index_t m_;
    index_t k_ = 0;
    std::vector<Sum> h_, g_;
    std::vector<double> c_;
    std::vector<Sum> s_;
};

}  // namespace frond
