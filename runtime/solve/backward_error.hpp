// SPDX-License-Identifier: BSD-3-Clause
// How good a solution of op(A) X = B is: the size of the smallest change of A and B that makes it
// exact.
#pragma once

#include "frond/cpu/dense_view.hpp"
#include "frond/matrix/operations.hpp"

#include <vector>

namespace frond {

struct BackwardError {
    /// ||r||_inf / (||op(A)||_inf ||x||_inf + ||b||_inf)                 (Rigal & Gaches 1967)
    double normwise = 0;
    /// max_i |r_i| / (|op(A)| |x| + |b|)_i                               (Oettli & Prager 1964)
    /// where that denominator is above tau_i, else / (|op(A)| |x| + t)_i with the smaller of
    /// t = |op(A)| e ||x||_inf and |op(A)| s ||S^-1 x||_inf, S = diag(s): the rule of Arioli, Demmel
    /// & Duff 1989 (section 4) for the system as it is and for the one with unknowns S^-1 x.
    double componentwise = 0;
};

/// op(A) with the row sums that backward errors need. a, and what products points to, must outlive
/// it. Immutable: one object serves many solves and threads.
/// tau_i / (t + |b|)_i: 1000 n eps (Arioli, Demmel & Duff 1989), at most 1/1000, since in single precision the product
/// passes 1 already for n = 8400.
template <class T>
double tiny_share(index_t n);

template <class T>
class LinearSystem {
public:
    /// One pass over A. solution_scale: s > 0 [n], or null for s = e. The factorization's column
    /// scaling (row scaling for the transposed and adjoint systems) is the right one: without it,
    /// unknowns far smaller than the largest would count for nothing.
    /// @pre a is square.
    LinearSystem(const SparseMatrix<T>& a, Operation op, ProductOptions products = {},
                 const std::vector<double>* solution_scale = nullptr);
    LinearSystem(const LinearSystem&) = delete;
    LinearSystem& operator=(const LinearSystem&) = delete;

    index_t order() const { return a_.rows(); }

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

    /// Errors of all columns from what residual() gave. Infinite, never NaN and never small, when x
    /// or r is not finite.
    std::vector<BackwardError> errors(DenseView<const T> x, DenseView<const T> b, DenseView<const T> r,
                                      const real_t<T>* w) const;

    /// w_i := the denominator of the componentwise error of one column; 0 only where row i of A and
    /// b_i are.
    void make_denominators(const T* x, const T* b, real_t<T>* w) const;

private:
    struct Sizes {
        double x = 0, scaled_x = 0, b = 0, r = 0;  // ||x||, ||S^-1 x||, ||b||, ||r|| in the inf-norm
    };

    template <bool is_scaled>
    void set_row_sums(const double* s);
    std::vector<Sizes> sizes(DenseView<const T> x, DenseView<const T> b, DenseView<const T> r) const;
    double denominator(double weight, double size_b, std::size_t i, const Sizes& size) const;

    const SparseMatrix<T>& a_;
    Operation op_;
    ProductPlan plan_;
    ProductOptions products_;
    std::vector<double> inverse_scale_;  // 1 / s; empty for s = e
    std::vector<real_t<T>> row_sum_;  // |op(A)| e
    std::vector<real_t<T>> scaled_row_sum_;  // |op(A)| s; empty for s = e
    double norm_ = 0;
    double tiny_ = 0;  // tau_i / (t + |b|)_i
};

/// Errors of all columns. R [n, nrhs] := B - op(A) X.
template <class T>
std::vector<BackwardError> backward_errors(const LinearSystem<T>& system, DenseView<const T> x, DenseView<const T> b,
                                           DenseView<T> r);

}  // namespace frond
