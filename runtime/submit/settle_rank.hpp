// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "data/factors_state.hpp"

namespace frond::detail {

/// After run_factorization: where threshold pivoting found null columns by the default tolerance,
/// makes sure that they are null. Pivots that a gap parts from all others are null, too
/// (data/rank_gap.hpp), and columns that rounding does not explain (solve/null_sizes.hpp) are not:
/// the factorization is repeated with a bound that tells them apart, three times at most. Where what
/// elimination left of null columns is as large as what it left of others, or a repetition finds
/// fewer null columns than rounding explains, all of them stay null. But where rounding explains no
/// more columns than were null before a gap made more of them so, and none of those was seen to be
/// regular, they are null alone: pivots that decay steadily have gaps, too (Hilbert matrices). The report's
/// flops, tasks and peak are those of all.
template<class T>
void settle_rank(FactorsState<T>& state, FactorOptions options);

} // namespace frond::detail
