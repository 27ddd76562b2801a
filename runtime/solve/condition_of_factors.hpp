// SPDX-License-Identifier: BSD-3-Clause
// The condition of what was factored, and the hint that a solve gives.
#pragma once

#include "factors/factors_state.hpp"
#include "refinement/skeel_condition.hpp"

#include <atomic>
#include <optional>

namespace frond::detail {

/// frond::skeel_condition of the scaled matrix by its factors. Of L L^H without scaling, c_j = 1 / sqrt(a_jj).
/// For others, where it leaves no digit, the smaller of it and that with columns of A scaled to size 1: an unknown in other
/// units is no sign of a large condition. Infinite
/// for singular factors; 1 for n = 0. The session must be inside a job.
template <class T>
double skeel_condition(const FactorsState<T>& state, const std::atomic<bool>* cancel,
                       const OneNormOptions& options = {});

/// An estimate of it from 3 solves, only where the analysis predicts at most 50,000 entries of the factors or
/// the sizes of the pivots suggest a large condition (which they need not show), and once for all
/// solves with these factors; empty elsewhere, where status is not success, and where the bound of
/// a solve (given, 0: none, see solve_bound) has no room for it next to the bytes held.
/// The sizes of L L^H are l_jj^2 / a_jj, which scaling does not change; O(n), once.
/// The session must be inside a job. @par Thread safety  several threads may call it; one estimates.
template <class T>
std::optional<double> condition_hint(const FactorsState<T>& state, count_t given_bytes, count_t held_bytes,
                                     const std::atomic<bool>* cancel);

/// Whether rounding alone may have left the least pivot of L L^H. What reaches pivot j is some eps y^H |A| y, with
/// y_j = 1 and A y = l_jj^2 e_j (Higham 2002, section 10.1), and a pivot of that size makes the condition 1 / eps. The hint
/// tells it where the sizes of the pivots ask for one, at no cost to the solve that would have asked; without memory for
/// it the answer is no. The session must be inside a job.
template <class T>
bool may_be_semidefinite(const FactorsState<T>& state, const std::atomic<bool>* cancel);

}  // namespace frond::detail
