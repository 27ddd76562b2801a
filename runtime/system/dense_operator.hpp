// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/matrix/dense_matrix_view.hpp"
#include "system/operator.hpp"

namespace frond {

/// op(A) of a dense matrix in the caller's memory, in square blocks: each call reads A once, whatever the columns of X.
/// Holds no entry of A.
template <class T>
class DenseOperator final : public Operator<T> {
public:
    DenseOperator(const DenseMatrixView<T>& a, Operation op, ParallelFor parallel_for = {})
        : Operator<T>(std::move(parallel_for)), a_(a), op_(op) {}

    index_t order() const override { return static_cast<index_t>(a_.order); }
    void multiply(DenseView<const T> x, DenseView<T> y) const override;
    void residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w) const override;
    std::vector<RowSum> row_sums(const std::vector<double>* s) const override;
    bool visit_entries(const std::function<void(index_t, index_t, T)>& visit) const override;
    std::vector<index_t> entries_of_rows() const override {
        return std::vector<index_t>(static_cast<std::size_t>(order()), order());
    }

private:
    DenseMatrixView<T> a_;
    Operation op_;
};

}  // namespace frond
