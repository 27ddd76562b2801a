// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "factors/factors_state.hpp"
#include "solve/callers_blocks.hpp"
#include "solve/refine.hpp"

namespace frond::detail {

/// op(A) X = B by factors on the device, and refinement as refine() does it, without leaving the device: only a B or
/// X of the host crosses over. Empty when another thread or a factorization has the device, X as it was; or when a
/// solution is not finite, X as it was from that block of right-hand sides on.
/// Inside a job; only where DeviceSolve::why_not is empty, and op(A) is not the conjugate of what was factored.
/// @throws DeviceError, Cancelled
template <class T>
std::optional<RefinementReport> solve_on_device(const FactorsState<T>& state, const CallersBlocks<T>& blocks,
                                                const SolveOptions& options, double& substitution_seconds);

}  // namespace frond::detail
