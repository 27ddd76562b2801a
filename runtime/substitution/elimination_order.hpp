// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"
#include "frond/matrix/operations.hpp"

namespace frond::detail {

/// Between a caller's vectors, by original row and column numbers, and those of a substitution: permuted, scaled and, where
/// that is meant, conjugated.
template <class T>
class EliminationOrder {
public:
    /// Both must outlive it.
    EliminationOrder(const FactorsState<T>& state, const SolveOptions& options);

    /// The symmetric kinds solve with op(A) = A or conj(A) only: the conjugate of B goes in, that of X out.
    bool conjugated() const;
    /// work [n, x.cols], ld = n
    void bring_in(DenseView<const T> x, T* work) const;
    void bring_out(const T* work, DenseView<T> x) const;

private:
    const FactorsState<T>& state_;
    const SolveOptions& options_;
    ParallelFor parallel_for_;
};

}  // namespace frond::detail
