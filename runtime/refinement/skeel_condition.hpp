// SPDX-License-Identifier: BSD-3-Clause
// The condition that scaling does not change (Skeel 1979).
#pragma once

#include "frond/matrix/sparse_matrix.hpp"
#include "refinement/one_norm_estimate.hpp"

namespace frond {

/// An estimate of || |B^-1| |B| ||_inf, B = Dr A diag(c) the scaled matrix: 1-norm of diag(|A| c) A^-H diag(c)^-1, c being
/// the scale of the unknowns that system = A has (e: none). inverse, adjoint_inverse: X := A^-1 X and X := A^-H X.
/// Cost: (1 + 2 options.max_rounds) products with options.columns columns at most.
template <class T>
double skeel_condition(const LinearSystem<T>& system, const ApplyBlock<T>& inverse,
                       const ApplyBlock<T>& adjoint_inverse, const OneNormOptions& options = {});

/// 1 / sqrt(|a_jj|), the scaling near to the best of a definite matrix (van der Sluis 1969); 1 where a_jj = 0.
template <class T>
std::vector<double> scale_by_diagonal(const SparseMatrix<T>& a);

/// 1 / max_i |a_ij| / row_sum_i; 1 where a column is 0 or a has no entries in this process.
template <class T>
std::vector<double> scale_by_columns(const SparseMatrix<T>& a, const std::vector<real_t<T>>& row_sum);

/// Changes of the size of rounding in the entries of A may change every digit of a solution.
template <class T>
bool leaves_no_digit(double skeel_condition);

}  // namespace frond
