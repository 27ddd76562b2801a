// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"
#include "frond/cpu/pivot_report.hpp"

namespace frond::detail {

/// What the pivots say of the matrix, and what is stored, into state.report.
template <class T>
void fill_report(FactorsState<T>& state, const PivotReport& pivots, const PivotRule& rule);

}  // namespace frond::detail
