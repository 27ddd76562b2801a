// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/parallel_for.hpp"
#include "frond/cpu/dense_view.hpp"
#include "frond/matrix/dense_matrix_view.hpp"

#include <vector>

namespace frond {

/// op(A) of a dense matrix, wherever it is.
template <class T>
class DenseOperator {
public:
    DenseOperator() = default;
    DenseOperator(const DenseOperator&) = delete;
    DenseOperator& operator=(const DenseOperator&) = delete;
    virtual ~DenseOperator() = default;

    virtual index_t order() const = 0;
    /// Y := op(A) X                                                   x, y [n, k], not overlapping
    virtual void multiply(DenseView<const T> x, DenseView<T> y, const ParallelFor& parallel_for) const = 0;
    /// R := B - op(A) X, W := |op(A)| |X| + |B|; R may be B, W [n, k], ld = n.
    virtual void residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w,
                          const ParallelFor& parallel_for) const = 0;
    /// plain_i := sum_j |op(A)_ij|, scaled_i := sum_j |op(A)_ij| s_j; s may be null. On this thread.
    virtual void row_sums(const double* s, std::vector<double>& plain, std::vector<double>& scaled) const = 0;
};

/// Products with a matrix in the caller's memory, in square blocks: each call reads A once, whatever the columns of X,
/// and adds in the same order whatever the threads. Holds no entry of A.
template <class T>
class DenseProducts final : public DenseOperator<T> {
public:
    DenseProducts(const DenseMatrixView<T>& a, Operation op) : a_(a), op_(op) {}

    index_t order() const override { return static_cast<index_t>(a_.order); }
    void multiply(DenseView<const T> x, DenseView<T> y, const ParallelFor& parallel_for) const override;
    void residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w,
                  const ParallelFor& parallel_for) const override;
    void row_sums(const double* s, std::vector<double>& plain, std::vector<double>& scaled) const override;

private:
    DenseMatrixView<T> a_;
    Operation op_;
};

}  // namespace frond
