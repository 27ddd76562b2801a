// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"

namespace frond::detail {

/// After run_factorization: where threshold pivoting found null columns by the default tolerance,
/// makes sure that they are null. Pivots that a gap parts from all others are null, too
/// (factors/rank_gap.hpp), and columns that rounding of the given entries does not explain (solve/null_sizes.hpp) are not:
/// the factorization is repeated with a bound that separates them, three times at most. Where what
/// elimination left of null columns is as large as what it left of others, or a repetition finds
/// fewer null columns than rounding explains, all of them stay null. But pivots that decay steadily,
/// as those of Hilbert matrices do, have gaps, too: where no column that was null before was seen to
/// be regular, and the number that rounding explains is nearer to theirs, they alone are null. The report's
/// flops, tasks and peak are those of all.
template <class T>
void decide_rank(FactorsState<T>& state, FactorOptions options);

}  // namespace frond::detail
