// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "data/factors_state.hpp"
#include "frond/cpu/pivot_report.hpp"

namespace frond::detail {

/// The whole factorization on the session's one device, without tasks. False: it does not fit or pay there, a
/// value is not finite, or a pivot was not plainly good; state has no factors then, and tasks are to do it.
/// rule_of(): for state.largest_entry, which is set before.
/// @throws InvalidArgument with options.place = device in place of false
template <class T>
bool factor_on_device(FactorsState<T>& state, const std::function<PivotRule()>& rule_of,
                      const FactorOptions& options, PivotReport& pivots);

}  // namespace frond::detail
