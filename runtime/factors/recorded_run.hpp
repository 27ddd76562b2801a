// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"
#include "frond/codelets/recorded_pivots.hpp"

namespace frond::detail {

/// What became of the pivots of a factorization that has ended, by tasks and with all units here.
template <class T>
RecordedRun recorded_run(const FactorsState<T>& state);

}  // namespace frond::detail
