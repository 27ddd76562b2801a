// SPDX-License-Identifier: BSD-3-Clause
// op(A) with what backward errors need of it.
#pragma once

#include "system/operator.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace frond {

/// X := M X in place, M being a matrix that is known by its products alone, such as op(A)^-1 by factors.
/// X [rows of this process, any number of columns], ld = rows.
template <class T>
using ApplyBlock = std::function<void(DenseView<T> x)>;

/// tau_i / (t + |b|)_i: 1000 n eps (Arioli, Demmel & Duff 1989), at most 1/1000, since in single precision the product
/// passes 1 already for n = 8400.
template <class T>
double tiny_share(index_t n);

/// op(A) with its row sums and norm. Immutable: one object serves many solves and threads. Where several processes have
/// rows of A, making one is collective, as are multiply() and residual().
template <class T>
class LinearSystem {
public:
    /// One pass over A. solution_scale: s > 0 [rows], or null or empty for s = e. The factorization's column scaling (row
    /// scaling for the transposed and adjoint systems) is the right one: without it, unknowns far smaller than the
    /// largest would count for nothing.
    explicit LinearSystem(std::shared_ptr<const Operator<T>> a, const std::vector<double>* solution_scale = nullptr);
    LinearSystem(const LinearSystem&) = delete;
    LinearSystem& operator=(const LinearSystem&) = delete;

    /// op(A)
    const Operator<T>& applied() const { return *a_; }
    index_t order() const { return a_->order(); }
    index_t rows() const { return a_->rows(); }
    const ParallelFor& parallel_for() const { return a_->parallel_for(); }

    double norm() const { return norm_; }  // ||op(A)||_inf

    // What the errors are computed with, by row; the last two are empty when the solution is not scaled.
    const std::vector<real_t<T>>& row_sums() const { return row_sum_; }  // |op(A)| e
    const std::vector<real_t<T>>& scaled_row_sums() const { return scaled_row_sum_; }  // |op(A)| s
    const std::vector<double>& inverse_solution_scale() const { return inverse_scale_; }  // 1 / s
    double tiny() const { return tiny_; }  // tau_i / (t + |b|)_i

    /// y := op(A) x                                                          x, y [rows]
    void multiply(const T* x, T* y) const;
    /// See Operator.
    void residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w) const;

private:
    void keep_row_sums(const std::vector<double>* solution_scale);

    std::shared_ptr<const Operator<T>> a_;
    std::vector<double> inverse_scale_;
    std::vector<real_t<T>> row_sum_, scaled_row_sum_;
    double norm_ = 0;
    double tiny_ = 0;
};

}  // namespace frond
