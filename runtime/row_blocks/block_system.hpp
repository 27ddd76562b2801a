// SPDX-License-Identifier: BSD-3-Clause
// op(A) in row blocks, as refinement applies it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "frond/base/large_vector.hpp"
#include "frond/cpu/dense_view.hpp"
#include "frond/matrix/operations.hpp"
#include "refinement/largest_magnitude.hpp"
#include "refinement/residual_sizes.hpp"
#include "row_blocks/halo.hpp"

namespace frond::detail {

/// op(A) with the row sums that backward errors need. Each row of a product is summed by one rank, in the order of the
/// columns, so that bits do not depend on the number of ranks; what else is reduced are maxima.
/// Calls are collective; their vectors are the rows of this rank's block.
template <class T>
class BlockSystem {
public:
    /// value: of the pattern. solution_scale: see LinearSystem; [rows of the block], or empty. For A^T and A^H of general
    /// matrices the entries go once to the rows of the other matrix.
    BlockSystem(Communicator& ranks, std::shared_ptr<const BlockPattern> pattern,
                std::shared_ptr<const LargeVector<T>> value, Operation op, const std::vector<double>& solution_scale,
                ParallelFor parallel_for);

    index_t rows() const { return pattern_->rows(); }
    const RowCuts& cuts() const { return pattern_->cuts; }
    double norm() const { return norm_; }  // ||op(A)||_inf
    count_t bytes() const;

    /// Y := op(A) X
    void multiply(Communicator& ranks, DenseView<const T> x, DenseView<T> y) const;
    /// R := B - op(A) X, and what it says of the whole system. R may not be B.
    std::vector<ResidualSizes> measure(Communicator& ranks, DenseView<const T> x, DenseView<const T> b,
                                       DenseView<T> r) const;

private:
    void set_row_sums(Communicator& ranks, const std::vector<double>& scale);
    void residual(const LargeVector<T>& x, DenseView<const T> b, DenseView<T> r, LargeVector<real_t<T>>& w) const;
    std::array<Largest, 4> norms_of(const T* x, const T* b, const T* r) const;
    Largest componentwise_error(const T* b, const T* r, const real_t<T>* weights, double norm_x,
                                double scaled_norm_x) const;

    std::shared_ptr<const BlockPattern> pattern_;
    std::shared_ptr<const LargeVector<T>> value_;  // the caller's, unless op or conjugation makes others
    std::optional<Halo> halo_;
    ParallelFor parallel_for_;
    std::vector<double> inverse_scale_;  // 1 / s of the block's rows; empty for s = e
    std::vector<real_t<T>> row_sum_, scaled_row_sum_;  // |op(A)| e, |op(A)| s
    bool scaled_ = false;
    double norm_ = 0, tiny_ = 0;
};

}  // namespace frond::detail
