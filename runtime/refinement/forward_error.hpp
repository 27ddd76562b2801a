// SPDX-License-Identifier: BSD-3-Clause
// How far a solution may be from the true one.
#pragma once

#include "system/backward_error.hpp"
#include "refinement/one_norm_estimate.hpp"

namespace frond {

/// For every column of X:
///   || |op(A)^-1| (|r| + (n_i + 1) eps (|op(A)| |x| + |b|)_i) ||_inf / ||x||_inf
/// with r = b - op(A) x, an estimate of a bound of ||x - op(A)^-1 b||_inf / ||x||_inf (Arioli, Demmel
/// & Duff 1989, section 3). The norm is that of M^H, M = diag(w) op(A)^-H, hence ||M||_1.
/// inverse, adjoint_inverse: X := op(A)^-1 X and X := op(A)^-H X.
template <class T>
std::vector<double> forward_error_bounds(const LinearSystem<T>& system, DenseView<const T> b, DenseView<const T> x,
                                         const ApplyBlock<T>& inverse, const ApplyBlock<T>& adjoint_inverse);

}  // namespace frond
