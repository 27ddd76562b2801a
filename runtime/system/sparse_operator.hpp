// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/matrix/operations.hpp"
#include "system/operator.hpp"

namespace frond {

/// op(A) of a sparse matrix in this process' memory, which must outlive it.
template <class T>
class SparseOperator final : public Operator<T> {
public:
    /// @pre a is square.
    SparseOperator(const SparseMatrix<T>& a, Operation op, ParallelFor parallel_for = {});

    index_t order() const override { return a_.rows(); }
    void multiply(DenseView<const T> x, DenseView<T> y) const override;
    void residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w) const override;
    /// In one pass: it runs next to a factorization, whose memory and workers it leaves alone.
    std::vector<RowSum> row_sums(const std::vector<double>* s) const override;
    bool visit_entries(const std::function<void(index_t, index_t, T)>& visit) const override;
    std::vector<index_t> entries_of_rows() const override;

private:
    /// visit(row, column, of_value(entry of A)) for the entries of op(A), in the order of A's columns
    template <class OfValue, class Visit>
    void for_each_entry(const OfValue& of_value, const Visit& visit) const;

    const SparseMatrix<T>& a_;
    Operation op_;
    ProductPlan plan_;
    ProductOptions products_;
};

}  // namespace frond
