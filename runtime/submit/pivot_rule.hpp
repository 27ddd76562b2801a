// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"
#include "frond/cpu/pivot_report.hpp"

namespace frond::detail {

/// The options about pivots as numbers, for the matrix of the state with its largest_entry.
template <class T>
PivotRule pivot_rule(const FactorOptions& options, const FactorsState<T>& state);

}  // namespace frond::detail
