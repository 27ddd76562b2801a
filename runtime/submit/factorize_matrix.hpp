// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "frond/solver.hpp"
#include "submit/choose_scaling.hpp"

namespace frond::detail {

/// @throws InvalidArgument
void check_factor_options(const FactorOptions& options);

/// What pivoting is carried out where this is asked for, `automatic` perhaps.
Pivoting carried_out(Pivoting asked, Factorization kind);

/// What may be kept for later: the caller's function and flag live as long as the call.
FactorOptions without_callbacks(FactorOptions options);

/// @throws InvalidArgument when a is of another order, symmetry or pattern than what was analysed
template <class T>
void check_same_pattern(SessionState& session, const SparseMatrix<T>& a, const Analysis& analysis);

/// Everything behind these checks and the scaling. Outside jobs.
template <class T>
Factors<T> factorize_matrix(std::shared_ptr<SessionState> session, std::shared_ptr<const Analysis> analysis,
                            SharedMatrix<T> a, const FactorOptions& options, ChosenScaling scaling);

/// What is left when the state has A and its scaling: what `options` ask of pivoting, the factorization, its rank.
template <class T>
Factors<T> factorize_state(std::shared_ptr<FactorsState<T>> state, const FactorOptions& options,
                           double scaling_seconds);

}  // namespace frond::detail
