// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include "frond/base/large_vector.hpp"
#include "system/rows/halo.hpp"
#include "system/operator.hpp"

namespace frond::detail {

/// op(A) of a sparse matrix in row blocks over several processes, which have the same rows of vectors. One process sums a
/// row, in the order of the columns, so that bits do not depend on the number of processes.
template <class T>
class RowOperator final : public Operator<T> {
public:
    /// value: of the pattern. For A^T and A^H of general matrices the entries go once to the rows of the other matrix: as
    /// much memory again as pattern and values take. Collective. ranks outlives it.
    RowOperator(Communicator& ranks, std::shared_ptr<const BlockPattern> pattern,
                std::shared_ptr<const LargeVector<T>> value, Operation op, ParallelFor parallel_for);

    index_t order() const override { return pattern_->cuts.order(); }
    index_t rows() const override { return pattern_->rows(); }
    void multiply(DenseView<const T> x, DenseView<T> y) const override;
    void residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w) const override;
    std::vector<RowSum> row_sums(const std::vector<double>* s) const override;
    std::vector<index_t> entries_of_rows() const override;

    void join(std::span<Largest> largest) const override;
    void together(const std::function<void()>& body) const override;

private:
    /// visit(entry, row of its column in what Halo::extended() gives)
    template <class Visit>
    void for_entries_of_row(index_t row, const Visit& visit) const;

    Communicator& ranks_;
    std::shared_ptr<const BlockPattern> pattern_;
    std::shared_ptr<const LargeVector<T>> value_;  // the caller's, unless op or conjugation makes others
    std::optional<Halo> halo_;
};

}  // namespace frond::detail
