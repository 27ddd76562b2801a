// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/solver.hpp"

namespace frond {

/// How near A is to a singular matrix: in the 1-norm, of A as given; and by Skeel's condition, which the scaling of
/// rows does not change, for the columns as the factorization scaled them.
struct ConditionEstimate {
    double norm_1 = 0;  // ||A||_1, exact
    double inverse_norm_1 = 0;  // ||A^-1||_1, estimated from below; infinite for singular factors
    double reciprocal_condition = 0;  // 1 / (||A||_1 ||A^-1||_1); 0 for singular factors
    /// || |B^-1| |B| ||_inf, B = Dr A Dc the scaled matrix (of L L^H not scaled: with the diagonal's roots), estimated
    /// from below: relative changes eps of the entries of A change the unknowns, in the scale of Dc, by at most
    /// skeel_condition eps of the largest. If that leaves no digit, and with columns scaled to size 1 in place of Dc the
    /// number is smaller, it is that one: unknowns in other units do not make a matrix ill-conditioned. Infinite for
    /// singular factors.
    double skeel_condition = 0;
    /// skeel_condition >= 1 / (10 eps): rounding alone may leave no digit of a solution right.
    bool ill_conditioned = false;
};

/// Estimates ||A^-1||_1 and Skeel's condition, mostly within a factor 3. With perturbed pivots they are those of the
/// perturbed matrix. The factors stay as they are.
/// Cost: some 8 to 22 substitutions with 2 right-hand sides, without refinement, and as many residuals.
/// Memory: a few vectors [n, 2].
/// @throws InvalidArgument  no factors, or LL^H of a matrix that is not positive definite
/// @throws OutOfMemory, DeviceError, RuntimeError, Cancelled
/// @par Thread safety  factors may be shared by threads that call this and solve().
/// @par Source  [HighamTisseur2000] algorithm 2.4, [Skeel1979]
template <class T>
ConditionEstimate condition_estimate(const Factors<T>& factors, const std::atomic<bool>* cancel = nullptr);

}  // namespace frond
