// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/parallel_for.hpp"
#include "frond/cpu/dense_view.hpp"
#include "frond/matrix/dense_matrix_view.hpp"

#include <vector>

namespace frond {

/// op(A) of a dense matrix in the caller's memory, in square blocks: each call reads A once, whatever the columns of X,
/// and adds in the same order whatever the threads. Holds no entry of A.
template <class T>
class DenseProducts {
public:
    DenseProducts(const DenseMatrixView<T>& a, Operation op) : a_(a), op_(op) {}

    index_t order() const { return static_cast<index_t>(a_.order); }

    /// Y := op(A) X                                                   x, y [n, k], not overlapping
    void multiply(DenseView<const T> x, DenseView<T> y, const ParallelFor& parallel_for) const;
    /// R := B - op(A) X, W := |op(A)| |X| + |B|; R may be B, W [n, k], ld = n.
    void residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w,
                  const ParallelFor& parallel_for) const;
    /// plain_i := sum_j |op(A)_ij|, scaled_i := sum_j |op(A)_ij| s_j; s may be null. On this thread.
    void row_sums(const double* s, std::vector<double>& plain, std::vector<double>& scaled) const;

private:
    DenseMatrixView<T> a_;
    Operation op_;
};

}  // namespace frond
