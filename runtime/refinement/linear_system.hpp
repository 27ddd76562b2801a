// SPDX-License-Identifier: BSD-3-Clause
// op(A) in the host's memory, as refinement and estimates apply it.
#pragma once

#include "frond/cpu/dense_view.hpp"
#include "frond/matrix/operations.hpp"
#include "refinement/dense_products.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace frond {

/// X := M X in place, M being a matrix that is known by its products alone, such as op(A)^-1 by factors.
/// X [n, any number of columns], ld = n.
template <class T>
using ApplyBlock = std::function<void(DenseView<T> x)>;

/// tau_i / (t + |b|)_i: 1000 n eps (Arioli, Demmel & Duff 1989), at most 1/1000, since in single precision the product
/// passes 1 already for n = 8400.
template <class T>
double tiny_share(index_t n);

/// op(A) with the row sums that backward errors need. a, and what products points to, must outlive
/// it. Immutable: one object serves many solves and threads.
template <class T>
class LinearSystem {
public:
    /// One pass over A. solution_scale: s > 0 [n], or null for s = e. The factorization's column
    /// scaling (row scaling for the transposed and adjoint systems) is the right one: without it,
    /// unknowns far smaller than the largest would count for nothing.
    /// @pre a is square.
    LinearSystem(const SparseMatrix<T>& a, Operation op, ProductOptions products = {},
                 const std::vector<double>* solution_scale = nullptr);
    /// The same of a dense matrix; products has no plan.
    explicit LinearSystem(std::shared_ptr<const DenseOperator<T>> a, ProductOptions products = {},
                          const std::vector<double>* solution_scale = nullptr);
    LinearSystem(const LinearSystem&) = delete;
    LinearSystem& operator=(const LinearSystem&) = delete;

    index_t order() const { return order_; }

    double norm() const { return norm_; }  // ||op(A)||_inf

    // What the errors are computed with, by row or column of A; empty when the solution is not scaled.
    const std::vector<real_t<T>>& row_sums() const { return row_sum_; }
    const std::vector<real_t<T>>& scaled_row_sums() const { return scaled_row_sum_; }
    const std::vector<double>& inverse_solution_scale() const { return inverse_scale_; }
    double tiny() const { return tiny_; }

    const ParallelFor& parallel_for() const { return products_.parallel_for; }

    /// y := op(A) x                                                          x, y [n]
    void multiply(const T* x, T* y) const;

    /// R := B - op(A) X, weights W := |op(A)| |X| + |B|; R may be B.          all [n, nrhs], W ld =
    /// n
    void residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w) const;

private:
    void begin(const std::vector<double>* solution_scale);
    template <bool is_scaled>
    void set_row_sums(const double* s);
    void take_row_sums(const std::vector<double>& plain, const std::vector<double>& scaled);

    const SparseMatrix<T>* a_ = nullptr;  // null: A is dense
    std::shared_ptr<const DenseOperator<T>> dense_;  // op(A)
    index_t order_;
    Operation op_ = Operation::none;  // of a_
    ProductPlan plan_;
    ProductOptions products_;
    std::vector<double> inverse_scale_;  // 1 / s; empty for s = e
    std::vector<real_t<T>> row_sum_;  // |op(A)| e
    std::vector<real_t<T>> scaled_row_sum_;  // |op(A)| s; empty for s = e
    double norm_ = 0;
    double tiny_ = 0;  // tau_i / (t + |b|)_i
};

}  // namespace frond
