// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/solver.hpp"

namespace frond {

/// How near A is to a singular matrix, in the 1-norm. A as given, not scaled.
struct ConditionEstimate {
    double norm_1 = 0;          // ||A||_1, exact
    double inverse_norm_1 = 0;  // ||A^-1||_1, estimated from below; infinite for singular factors
    double reciprocal_condition = 0;  // 1 / (||A||_1 ||A^-1||_1); 0 for singular factors
};

/// Some 4 to 11 solves with 2 right-hand sides, no refinement. Mostly within a factor 3. With perturbed
/// pivots it is the estimate of the perturbed matrix.
/// @throws InvalidArgument  no factors, or LL^H of a matrix that is not positive definite
/// @par Thread safety  factors may be shared by threads that call this and solve().
/// @par Source  [HighamTisseur2000] algorithm 2.4
template <class T>
ConditionEstimate condition_estimate(const Factors<T>& factors,
                                     const std::atomic<bool>* cancel = nullptr);

}  // namespace frond
