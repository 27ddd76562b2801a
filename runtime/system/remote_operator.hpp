// SPDX-License-Identifier: BSD-3-Clause
// op(A) of a matrix that several processes have, for the one of them that has the vectors.
#pragma once

#include <memory>

#include "system/operator.hpp"

namespace frond::detail {

/// op(A) X and |op(A)| |X|                                                 [n, columns of X]
template <class T>
struct ProductSums {
    std::vector<T> product;
    std::vector<real_t<T>> sizes;
};

/// A matrix of which several processes have entries, as one of them asks for their work.
template <class T>
class RemoteMatrix {
public:
    RemoteMatrix() = default;
    RemoteMatrix(const RemoteMatrix&) = delete;
    RemoteMatrix& operator=(const RemoteMatrix&) = delete;
    virtual ~RemoteMatrix() = default;

    /// x [n, columns]
    virtual ProductSums<T> sums(Operation op, std::vector<T> x, index_t columns) const = 0;
    /// [n] Entries in each row of op(A).
    virtual std::vector<index_t> entries_of_rows(Operation op) const = 0;
};

/// op(A) of the matrix that find() gives. It is asked for in each call, since a copy of a Solver has the same factors and
/// other processes.
template <class T>
class RemoteOperator final : public Operator<T> {
public:
    using Find = std::function<std::shared_ptr<const RemoteMatrix<T>>()>;
    RemoteOperator(index_t order, Operation op, Find find, ParallelFor parallel_for = {})
        : Operator<T>(std::move(parallel_for)), order_(order), op_(op), find_(std::move(find)) {}

    index_t order() const override { return order_; }
    void multiply(DenseView<const T> x, DenseView<T> y) const override;
    void residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w) const override;
    std::vector<RowSum> row_sums(const std::vector<double>* s) const override;
    std::vector<index_t> entries_of_rows() const override { return find_()->entries_of_rows(op_); }

private:
    template <class Take>
    void for_some_columns(DenseView<const T> x, const Take& take) const;

    index_t order_;
    Operation op_;
    Find find_;
};

}  // namespace frond::detail
