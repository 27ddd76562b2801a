// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"

namespace frond::detail {

/// Rounding may leave of a null column a pivot a little above report.pivots.null_below. Where singular factors
/// have pivots within 1000 of that bound (and eps^(1/3) of the largest entry), and a gap of 1000 (in single
/// precision of 10) between them and all larger ones, they are taken for such: the geometric middle of the
/// gap is returned, as a bound for null columns that gives the right rank. 0: there are no such pivots.
/// Of 2 x 2 pivots the smaller eigenvalue counts.
template <class T>
double bound_in_rank_gap(const FactorsState<T>& state);

}  // namespace frond::detail
