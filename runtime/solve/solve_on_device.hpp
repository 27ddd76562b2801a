// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "solve/callers_blocks.hpp"
#include "substitution/factor_solve.hpp"

namespace frond::detail {

/// op(A) X = B by factors on the device, refined without leaving it. False when it was not done there (another thread or
/// a factorization has the device, there is no room, a solution is not finite, or the options or op(A) are none for
/// it), or did not converge: then substitution, which does not invert blocks of the factors, or GMRES may do better, and
/// X is to be made anew. `inverse` stays on the host then, where the options leave the place open. Inside a job.
/// @throws DeviceError  where the options demand the device; Cancelled
template <class T>
bool solve_on_device(const FactorsState<T>& state, const CallersBlocks<T>& blocks, const SolveOptions& options,
                     FactorSolve<T>& inverse, SolveReport& report);

/// Why a solve of a session with devices was on the cores; empty in other sessions.
template <class T>
std::string place_reason(const FactorsState<T>& state, const SolveOptions& options);

}  // namespace frond::detail
