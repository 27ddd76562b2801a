// SPDX-License-Identifier: BSD-3-Clause
// How good a solution of op(A) X = B is: the size of the smallest change of A and B that makes it
// exact.
#pragma once

#include "system/linear_system.hpp"
#include "system/residual_sizes.hpp"

#include <span>
#include <vector>

namespace frond {

/// Sizes of all columns from what system.residual() gave, those of all processes that have rows. Infinite, never NaN, when
/// x or r is not finite. of_b: the columns of B that those of X, R and W belong to; empty: all, in their order.
/// Cost: two passes over X, B, R and W, shared by system.parallel_for(), and two reductions over the processes.
template <class T>
std::vector<ResidualSizes> residual_sizes(const LinearSystem<T>& system, DenseView<const T> x, DenseView<const T> b,
                                          DenseView<const T> r, const real_t<T>* w, std::span<const index_t> of_b = {});

/// Errors of all columns. R [rows, nrhs] := B - op(A) X. Infinite, and never small, when x or r is not finite.
template <class T>
std::vector<BackwardError> backward_errors(const LinearSystem<T>& system, DenseView<const T> x, DenseView<const T> b,
                                           DenseView<T> r);

/// w_i := the denominator of the componentwise error of one column, from the weights of system.residual(); 0 only where
/// row i of A and b_i are.
template <class T>
void make_denominators(const LinearSystem<T>& system, const T* x, const T* b, real_t<T>* w);

}  // namespace frond
