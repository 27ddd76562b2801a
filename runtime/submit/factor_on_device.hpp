// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "data/factors_state.hpp"
#include "frond/cpu/pivot_report.hpp"

namespace frond::detail {

/// The whole factorization on the session's one device, without tasks. False: it does not fit or pay there, or a
/// pivot was not plainly good; state has no factors then, and tasks are to do it.
/// @throws InvalidArgument with options.place = device in place of false
template <class T>
bool factor_on_device(FactorsState<T>& state, const T* entries, const PivotRule& rule, const FactorOptions& options,
                      PivotReport& pivots);

}  // namespace frond::detail
