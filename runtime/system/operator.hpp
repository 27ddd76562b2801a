// SPDX-License-Identifier: BSD-3-Clause
// op(A) of a square matrix, wherever its entries are.
#pragma once

#include "frond/base/parallel_for.hpp"
#include "frond/cpu/dense_view.hpp"
#include "system/largest_magnitude.hpp"

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace frond {

/// sum_j |op(A)_ij| and sum_j |op(A)_ij| s_j of one row
struct RowSum {
    double plain = 0, scaled = 0;
};

/// op(A) as refinement, estimates and products with A need it. SparseOperator and DenseOperator have all entries in this
/// process' memory, RemoteOperator asks other processes for sums. RowOperator has some rows of A and of every vector, the
/// other processes have the others: there each function but order(), rows() and parallel_for() is collective.
/// Sums are taken in an order that depends on A alone, whatever the workers and the processes.
template <class T>
class Operator {
public:
    Operator(const Operator&) = delete;
    Operator& operator=(const Operator&) = delete;
    virtual ~Operator() = default;

    virtual index_t order() const = 0;
    /// Rows of vectors that this process has.
    virtual index_t rows() const { return order(); }
    /// Y := op(A) X                                                   x, y [rows, k], not overlapping
    virtual void multiply(DenseView<const T> x, DenseView<T> y) const = 0;
    /// R := B - op(A) X, W := |op(A)| |X| + |B|; R may be B, W [rows, k], ld = rows.
    virtual void residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w) const = 0;
    /// [rows] s: [rows], or null on all processes; then sums with s are 0. On this thread.
    virtual std::vector<RowSum> row_sums(const std::vector<double>* s) const = 0;
    /// visit(i, j, op(A)_ij) for every entry of op(A), on this thread. False, and no visit: other processes have some.
    virtual bool visit_entries(const std::function<void(index_t, index_t, T)>&) const { return false; }
    /// [rows] Entries in each row of op(A), both triangles counted.
    virtual std::vector<index_t> entries_of_rows() const = 0;

    /// largest[i] := the largest that one of the processes with rows of the vectors has there.
    virtual void join(std::span<Largest>) const {}
    /// body() on each of these processes; what one of them throws, all of them throw.
    virtual void together(const std::function<void()>& body) const { body(); }

    /// The workers that share the work on vectors.
    const ParallelFor& parallel_for() const { return parallel_for_; }

protected:
    explicit Operator(ParallelFor parallel_for) : parallel_for_(std::move(parallel_for)) {}

private:
    ParallelFor parallel_for_;
};

}  // namespace frond
