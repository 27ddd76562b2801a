// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"

namespace frond::detail {

/// Appends the bounds of the columns of X to the report. False without memory for them: the report then has no bounds at
/// all. Inside a job. @throws Cancelled
template <class T>
bool bound_forward_errors(const FactorsState<T>& state, DenseView<const T> b, DenseView<const T> x,
                          const SolveOptions& options, SolveReport& report);

}  // namespace frond::detail
