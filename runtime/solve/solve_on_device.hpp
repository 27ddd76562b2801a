// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "data/factors_state.hpp"
#include "solve/refine.hpp"

namespace frond::detail {

/// A X = B by factors on the device, and refinement as refine() does it, without leaving the device: only B and
/// X cross over. Empty, and X as it was, when another thread or a factorization has the device, or a solution is not finite.
/// Inside a job; only where DeviceSolve::why_not is empty and the operation is none.
/// @throws DeviceError, Cancelled
template <class T>
std::optional<RefinementReport> solve_on_device(const FactorsState<T>& state, DenseView<const T> b, DenseView<T> x,
                                                const SolveOptions& options, double& substitution_seconds);

}  // namespace frond::detail
