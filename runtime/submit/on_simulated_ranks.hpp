// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"

namespace frond::detail {

/// run_factorization(state, options) as it is on rank 0 of simulated_cluster(), whose other ranks do their parts; what was
/// found about all of them is simulated_cluster_work() then. In runtime/simulated, of the builds that simulate.
template <class T>
void run_on_simulated_ranks(FactorsState<T>& state, const FactorOptions& options);

}  // namespace frond::detail
