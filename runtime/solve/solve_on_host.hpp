// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "memory/predict_solve.hpp"
#include "solve/callers_blocks.hpp"
#include "substitution/factor_solve.hpp"

namespace frond::detail {

/// op(A) X = B with B and X in the host's memory, wherever the factors are: some columns after the other, as `shape` says,
/// refined, and repaired by GMRES where the options permit it. A part of a solve is not refined. Fills the report, bounds
/// of the forward error included. Inside a job. @throws DeviceError, OutOfMemory, Cancelled
template <class T>
void solve_on_host(const FactorsState<T>& state, CallersBlocks<T>& blocks, const SolveOptions& options,
                   const SolveShape& shape, FactorSolve<T>& inverse, SolveReport& report);

}  // namespace frond::detail
