// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "solve/factor_solve.hpp"
#include "solve/one_norm_estimate.hpp"

namespace frond::detail {

/// X := op(A)^-1 X and X := op(A)^-H X by the factors alone, for op none or adjoint. A^-T has the
/// magnitudes of A^-H, which is enough for norms.
/// The session must be inside a job while it is used.
template <class T>
class FactorSolvePair {
public:
    FactorSolvePair(const FactorsState<T>& state, Operation op, const std::atomic<bool>* cancel)
        : options_(with_operation(op == Operation::none ? Operation::none : Operation::adjoint, cancel)),
          adjoint_options_(with_operation(op == Operation::none ? Operation::adjoint : Operation::none, cancel)),
          inverse_(state, options_),
          adjoint_(state, adjoint_options_) {}
    FactorSolvePair(const FactorSolvePair&) = delete;
    FactorSolvePair& operator=(const FactorSolvePair&) = delete;

    ApplyBlock<T> inverse() {
        return [this](DenseView<T> x) { inverse_.apply(x); };
    }
    ApplyBlock<T> adjoint() {
        return [this](DenseView<T> x) { adjoint_.apply(x); };
    }

private:
    static SolveOptions with_operation(Operation op, const std::atomic<bool>* cancel) {
        SolveOptions options;
        options.operation = op;
        options.cancel = cancel;
        return options;
    }

    SolveOptions options_, adjoint_options_;  // before what refers to them
    FactorSolve<T> inverse_, adjoint_;
};

}  // namespace frond::detail
