// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"

namespace frond::detail {

/// The whole numerical factorization: checks the budget, walks the tree in postorder, submits, waits,
/// fills state.report. state holds session, analysis, matrix and scaling on entry.
template <class T>
void run_factorization(FactorsState<T>& state, const FactorOptions& options);

}  // namespace frond::detail
