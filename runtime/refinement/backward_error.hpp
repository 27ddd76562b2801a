// SPDX-License-Identifier: BSD-3-Clause
// How good a solution of op(A) X = B is: the size of the smallest change of A and B that makes it
// exact.
#pragma once

#include "refinement/linear_system.hpp"
#include "refinement/residual_sizes.hpp"

#include <vector>

namespace frond {

/// Sizes of all columns from what system.residual() gave. Infinite, never NaN, when x or r is not finite.
/// Cost: two passes over X, B, R and W, shared by system.parallel_for().
template <class T>
std::vector<ResidualSizes> residual_sizes(const LinearSystem<T>& system, DenseView<const T> x, DenseView<const T> b,
                                          DenseView<const T> r, const real_t<T>* w);

/// Errors of all columns. R [n, nrhs] := B - op(A) X. Infinite, and never small, when x or r is not finite.
template <class T>
std::vector<BackwardError> backward_errors(const LinearSystem<T>& system, DenseView<const T> x, DenseView<const T> b,
                                           DenseView<T> r);

/// w_i := the denominator of the componentwise error of one column, from the weights of system.residual(); 0 only where
/// row i of A and b_i are.
template <class T>
void make_denominators(const LinearSystem<T>& system, const T* x, const T* b, real_t<T>* w);

}  // namespace frond
