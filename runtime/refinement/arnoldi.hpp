// SPDX-License-Identifier: BSD-3-Clause
// Arnoldi process of GMRES (Saad & Schultz 1986, section 3.2).
// Sums over rows are sums over pieces of rows, piece by piece: the same bits on any number of cores.
#pragma once

#include "frond/base/loop_purpose.hpp"
#include "frond/base/types.hpp"
#include "refinement/hessenberg.hpp"
#include "system/row_chunks.hpp"

#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

namespace frond {

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

/// Orthonormal v_0 .. v_k and the Hessenberg matrix of the operator in them, one column at a time.
template <class T>
class Arnoldi {
public:
    using Sum = Accumulator<T>;

    /// parallel_for must outlive it.
    Arnoldi(count_t n, index_t restart, const ParallelFor& parallel_for)
        : n_(n),
          parallel_for_(parallel_for),
          pieces_(static_cast<std::size_t>(row_chunks(n))),
          v_(std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(n) * static_cast<std::size_t>(restart + 1))),
          hessenberg_(restart),
          products_(pieces_ * static_cast<std::size_t>(restart)),
          squares_(pieces_) {}

    T* vector(index_t k) { return v_.get() + k * n_; }

    index_t size() const { return hessenberg_.size(); }

    /// 2-norm of the residual of the least-squares problem so far.
    double residual_norm() const { return hessenberg_.residual_norm(); }

    /// vector(0) holds u; false when it is zero or not finite.
    bool start() {
        const double beta = norm(vector(0));
        hessenberg_.start(beta);
        return divide(vector(0), beta);
    }

    /// vector(k + 1) holds the operator times vector(k). False at a breakdown: no further vector.
    bool extend() {
        const index_t k = size();
        T* const w = vector(k + 1);
        const double before = norm(w);
        if (!std::isfinite(before)) return false;
        for (index_t i = 0; i <= k + 1; ++i) hessenberg_.next(i) = Sum(0);
        double after = orthogonalise(w);
        // Twice is enough, also with all products before the first subtraction (Giraud, Langou & Rozloznik 2005).
        if (after < 0.7 * before) after = orthogonalise(w);
        hessenberg_.next(k + 1) = Sum(after);
        hessenberg_.append();
        return after > breakdown * before && divide(w, after);
    }

    /// y := argmin ||beta e_1 - H y||; y_k of a zero diagonal entry is 0.
    std::vector<Sum> solve() const { return hessenberg_.solve(); }

private:
    static constexpr double breakdown = 1e-15;

    template <class Body>
    void for_pieces(const Body& body) const {
        const LoopPurpose purpose("gmres");
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

    /// w := w - V (V^H w), V = (v_0 .. v_k), k = size(); returns ||w||_2. V is read twice, w in pieces that stay in the cache.
    double orthogonalise(T* w) {
        const auto vectors = static_cast<std::size_t>(size()) + 1;
        for_pieces([&](count_t begin, count_t rows, std::size_t piece) {
            for (std::size_t i = 0; i < vectors; ++i)
                products_[piece * vectors + i] = dot(vector(static_cast<index_t>(i)) + begin, w + begin, rows);
        });
        std::vector<T> factor(vectors);
        for (std::size_t i = 0; i < vectors; ++i) {
            Sum product(0);
            for (std::size_t piece = 0; piece < pieces_; ++piece) product += products_[piece * vectors + i];
            hessenberg_.next(static_cast<index_t>(i)) += product;
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

    count_t n_;
    const ParallelFor& parallel_for_;
    std::size_t pieces_;
    std::unique_ptr<T[]> v_;
    HessenbergLeastSquares<T> hessenberg_;
    std::vector<Sum> products_;  // of each piece with each vector
    std::vector<double> squares_;  // of each piece
};

}  // namespace frond
