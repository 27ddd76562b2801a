// SPDX-License-Identifier: BSD-3-Clause
// Arnoldi process and the small least-squares problem of GMRES (Saad & Schultz 1986, section 3.2).
// Sums over rows are sums over pieces of rows, piece by piece: the same bits on any number of cores.
#pragma once

#include "frond/base/types.hpp"
#include "solve/row_chunks.hpp"

#include <cmath>
#include <complex>
#include <memory>
#include <numeric>
#include <type_traits>
#include <vector>

namespace frond {

/// Sums run in double, so that single-precision vectors of millions lose nothing.
template <class T>
using Accumulator = std::conditional_t<is_complex<T>, std::complex<double>, double>;

/// u^H v
template <class T>
Accumulator<T> dot(const T* u, const T* v, count_t n) {
    Accumulator<T> sum(0);
    for (count_t i = 0; i < n; ++i) sum += Accumulator<T>(conjugate(u[i])) * Accumulator<T>(v[i]);
    return sum;
}

/// ||v||_2^2
template <class T>
double square_sum(const T* v, count_t n) {
    double sum = 0;
    for (count_t i = 0; i < n; ++i) sum += std::norm(Accumulator<T>(v[i]));
    return sum;
}

/// Orthonormal v_0 .. v_k and the QR factorization of the Hessenberg matrix, one column at a time.
template <class T>
class Arnoldi {
public:
    using Sum = Accumulator<T>;

    /// parallel_for must outlive it.
    Arnoldi(count_t n, index_t restart, const ParallelFor& parallel_for)
        : n_(n),
          m_(restart),
          parallel_for_(parallel_for),
          pieces_(static_cast<std::size_t>(row_chunks(n))),
          v_(std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(n) * static_cast<std::size_t>(restart + 1))),
          h_(static_cast<std::size_t>(restart + 1) * static_cast<std::size_t>(restart)),
          g_(static_cast<std::size_t>(restart) + 1),
          c_(g_.size()),
          s_(g_.size()),
          products_(pieces_ * static_cast<std::size_t>(restart)),
          squares_(pieces_) {}

    T* vector(index_t k) { return v_.get() + k * n_; }

    index_t size() const { return k_; }

    /// 2-norm of the residual of the least-squares problem so far.
    double residual_norm() const { return std::abs(g_[static_cast<std::size_t>(k_)]); }

    /// vector(0) holds u; false when it is zero or not finite.
    bool start() {
        k_ = 0;
        const double beta = norm(vector(0));
        g_[0] = Sum(beta);
        return divide(vector(0), beta);
    }

    /// vector(k + 1) holds the operator times vector(k). False at a breakdown: no further vector.
    bool extend() {
        T* const w = vector(k_ + 1);
        const double before = norm(w);
        if (!std::isfinite(before)) return false;
        for (index_t i = 0; i <= k_ + 1; ++i) h(i, k_) = Sum(0);
        double after = orthogonalise(w);
        // Twice is enough, also with all products before the first subtraction (Giraud, Langou & Rozloznik 2005).
        if (after < 0.7 * before) after = orthogonalise(w);
        h(k_ + 1, k_) = Sum(after);
        rotate();
        ++k_;
        return after > breakdown * before && divide(w, after);
    }

    /// y := argmin ||beta e_1 - H y||; y_k of a zero diagonal entry is 0.
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
    static constexpr double breakdown = 1e-15;

    Sum& h(index_t i, index_t j) {
        return h_[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(m_ + 1)];
    }

    const Sum& h(index_t i, index_t j) const { return const_cast<Arnoldi&>(*this).h(i, j); }

    template <class Body>
    void for_pieces(const Body& body) const {
        for_row_chunks(parallel_for_, n_, 1, [&](count_t, count_t begin, count_t end, count_t piece) {
            body(begin, end - begin, static_cast<std::size_t>(piece));
        });
    }

    double sum_of_squares() const { return std::accumulate(squares_.begin(), squares_.end(), 0.0); }

    double norm(const T* v) {
        for_pieces(
            [&](count_t begin, count_t rows, std::size_t piece) { squares_[piece] = square_sum(v + begin, rows); });
        return std::sqrt(sum_of_squares());
    }

    bool divide(T* w, double by) const {
        if (!(by > 0) || !std::isfinite(by)) return false;
        const auto inverse = static_cast<real_t<T>>(1 / by);
        for_pieces([&](count_t begin, count_t rows, std::size_t) {
            for (count_t i = begin; i < begin + rows; ++i) w[i] *= inverse;
        });
        return true;
    }

    /// w := w - V (V^H w), V = (v_0 .. v_k); returns ||w||_2. V is read twice, w in pieces that stay in the cache.
    double orthogonalise(T* w) {
        const auto vectors = static_cast<std::size_t>(k_) + 1;
        for_pieces([&](count_t begin, count_t rows, std::size_t piece) {
            for (std::size_t i = 0; i < vectors; ++i)
                products_[piece * vectors + i] = dot(vector(static_cast<index_t>(i)) + begin, w + begin, rows);
        });
        std::vector<T> factor(vectors);
        for (std::size_t i = 0; i < vectors; ++i) {
            Sum product(0);
            for (std::size_t piece = 0; piece < pieces_; ++piece) product += products_[piece * vectors + i];
            h(static_cast<index_t>(i), k_) += product;
            factor[i] = T(product);
        }
        for_pieces([&](count_t begin, count_t rows, std::size_t piece) {
            for (std::size_t i = 0; i < vectors; ++i) {
                const T* const v = vector(static_cast<index_t>(i));
                for (count_t r = begin; r < begin + rows; ++r) w[r] -= factor[i] * v[r];
            }
            squares_[piece] = square_sum(w + begin, rows);
        });
        return std::sqrt(sum_of_squares());
    }

    /// Applies the former Givens rotations to column k and makes h(k+1, k) zero by a new one.
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

    count_t n_;
    index_t m_;
    index_t k_ = 0;
    const ParallelFor& parallel_for_;
    std::size_t pieces_;
    std::unique_ptr<T[]> v_;
    std::vector<Sum> h_, g_;
    std::vector<double> c_;
    std::vector<Sum> s_;
    std::vector<Sum> products_;  // of each piece with each vector
    std::vector<double> squares_;  // of each piece
};

}  // namespace frond
