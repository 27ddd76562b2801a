// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"
#include "frond/cpu/pivot_report.hpp"

namespace frond::detail {

/// What the pivots say of the matrix, and what is stored, into state.report.
template <class T>
void fill_report(FactorsState<T>& state, const PivotReport& pivots, const PivotRule& rule);

/// The number of entries, in this rank's units, that the analysis foresaw in columns which the first pass gave back,
/// and in fronts of subtrees with failed pivots; the second pass stores others instead.
template <class T>
count_t entries_not_kept(const TreeFactors<T>& factors);

}  // namespace frond::detail
