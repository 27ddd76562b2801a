// SPDX-License-Identifier: BSD-3-Clause
// What solve.cpp is made of.
#pragma once

#include "factors/factors_state.hpp"
#include "frond/solver.hpp"
#include "memory/predict_solve.hpp"
#include "refinement/refine.hpp"
#include "solve/callers_blocks.hpp"
#include "substitution/factor_solve.hpp"

namespace frond::detail {

/// op(A) X = B by factors on the device, refined without leaving it. False when it was not done there (another thread or
/// a factorization has the device, there is no room, a solution is not finite, or the options or op(A) are none for
/// it), or did not converge: then substitution, which does not invert blocks of the factors, or GMRES may do better, and
/// X is to be made anew. `inverse` stays on the host then, where the options leave the place open. Inside a job.
/// @throws DeviceError  where the options demand the device; Cancelled
template <class T>
bool solve_on_device(const FactorsState<T>& state, CallersBlocks<T>& blocks, const SolveOptions& options,
                     FactorSolve<T>& inverse, SolveReport& report);

/// Why a solve of a session with devices was on the cores; empty in other sessions. inverse: has substituted.
template <class T>
std::string place_reason(const FactorsState<T>& state, const SolveOptions& options, const FactorSolve<T>& inverse);

/// op(A) X = B with B and X in the host's memory, wherever the factors are: some columns after the other, as `shape` says,
/// refined, and repaired by GMRES where the options permit it. A part of a solve is not refined. Fills the report, bounds
/// of the forward error included. Inside a job. @throws DeviceError, OutOfMemory, Cancelled
template <class T>
void solve_on_host(const FactorsState<T>& state, CallersBlocks<T>& blocks, const SolveOptions& options,
                   const SolveShape& shape, FactorSolve<T>& inverse, SolveReport& report);

/// Singular factors leave 0 in all rows but the null ones, which then have all that rounding in other rows makes b miss the
/// range by. If those other rows are far larger, the null ones cannot bear it. For columns of X that are not accepted:
/// X := X + M^-1 (r - r'), r' that residual with y^H r' = y^H r for all y with y^H op(A) = 0 which is the smallest in the
/// 2-norm, each row divided by its denominator of the componentwise error. Kept where it is accepted.
/// Nothing is done for more than most_vectors null rows. Memory: twice as many vectors, which GMRES takes afterwards.
template <class T>
void share_residual_of_null_rows(const FactorsState<T>& state, DenseView<const T> b, DenseView<T> x,
                                 const SolveOptions& options, index_t most_vectors, FactorSolve<T>& inverse,
                                 RefinementReport& refined);

/// Appends the bounds of the columns of X to the report. False without memory for them: the report then has no bounds at
/// all. Inside a job. @throws Cancelled
template <class T>
bool bound_forward_errors(const FactorsState<T>& state, DenseView<const T> b, DenseView<const T> x,
                          const SolveOptions& options, SolveReport& report);

/// Takes the lists over: where no memory is left, X has its report all the same.
template <class T>
void fill_report(SolveReport& report, RefinementReport&& refined, const SolveOptions& options);

/// The sizes of all columns together, of which the report has those of each, and whether they are accepted.
template <class T>
void summarize(SolveReport& report, const SolveOptions& options);

/// Puts condition_hint() into the report. The solution is there: without memory for a hint, or time, there is none.
/// Inside a job.
template <class T>
void hint_at_condition(const FactorsState<T>& state, count_t held_bytes, const SolveOptions& options,
                       SolveReport& report);

/// The options of refinement that the options of a solve ask for, with factors of this status.
template <class T>
RefinementOptions refinement_options(const SolveOptions& options, FactorStatus status);

}  // namespace frond::detail
