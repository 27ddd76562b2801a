// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "data/factors_state.hpp"

namespace frond::detail {

/// After run_factorization: where threshold pivoting found null columns by the default tolerance,
/// makes sure that they are null. Columns that rounding does not explain (solve/null_sizes.hpp) are
/// no null columns, and pivots that a gap parts from all others are (data/rank_gap.hpp): the
/// factorization is repeated with a bound that tells them apart, three times at most. The report's
/// flops, tasks and peak are those of all.
template<class T>
void settle_rank(FactorsState<T>& state, FactorOptions options);

} // namespace frond::detail
