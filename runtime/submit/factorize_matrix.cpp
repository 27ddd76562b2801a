// SPDX-License-Identifier: BSD-3-Clause
#include "submit/factorize_matrix.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "factors/factors_state.hpp"
#include "factors/pivots.hpp"
#include "factors/state_of.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/time_models.hpp"
#include "frond/matrix/operations.hpp"
#include "session/parallel_for.hpp"
#include "session/trace_span.hpp"
#include "solve/condition_of_factors.hpp"
#include "solve/solve_bound.hpp"
#include "substitution/device_solve.hpp"
#include "submit/factorization.hpp"
#include "submit/decide_rank.hpp"

namespace frond::detail {

Pivoting carried_out(Pivoting asked, Factorization kind) {
    if (kind == Factorization::llt) return Pivoting::none;
    return asked == Pivoting::automatic ? Pivoting::threshold : asked;
}

void check_factor_options(const FactorOptions& options) {
    FROND_EXPECTS(options.static_pivot_tolerance >= 0 && options.static_pivot_tolerance <= 1,
                  "static_pivot_tolerance is out of its range; give a number in [0, 1]");
    FROND_EXPECTS(options.pivot_threshold >= 0 && options.pivot_threshold <= 0.5,
                  "pivot_threshold is out of its range; give a number in [0, 0.5]");
    FROND_EXPECTS(options.null_pivot_tolerance >= 0 && options.null_pivot_tolerance <= 1,
                  "null_pivot_tolerance is out of its range; give a number in [0, 1]");
}

FactorOptions without_callbacks(FactorOptions options) {
    options.progress = {};
    options.cancel = nullptr;
    return options;
}

template <class T>
void check_same_pattern(SessionState& session, const SparseMatrix<T>& a, const Analysis& analysis) {
    FROND_EXPECTS(a.rows() == analysis.order && a.cols() == analysis.order,
                  "the matrix is " + std::to_string(a.rows()) + " x " + std::to_string(a.cols()) +
                      ", the analysed one of order " + std::to_string(analysis.order) + "; analyze it first");
    FROND_EXPECTS(static_cast<count_t>(a.value.size()) == a.entries() &&
                      static_cast<count_t>(a.pattern.row.size()) == a.entries(),
                  "the matrix has " + std::to_string(a.value.size()) + " values and " +
                      std::to_string(a.pattern.row.size()) + " row numbers for " + std::to_string(a.entries()) +
                      " entries; make it by make_sparse");
    FROND_EXPECTS(a.entries() == analysis.entries && a.symmetry == analysis.symmetry &&
                      hash_pattern(a.pattern, parallel_for_outside_jobs(session, "pattern")) == analysis.pattern_hash,
                  "the pattern of the matrix differs from the analysed one; analyze it first");
}

template <class T>
Factors<T> factorize_matrix(std::shared_ptr<SessionState> session, std::shared_ptr<const Analysis> analysis,
                            SharedMatrix<T> a, const FactorOptions& options, ChosenScaling scaling) {
    auto state = std::make_shared<FactorsState<T>>(std::move(session), std::move(analysis));
    state->system.matrix = std::move(a);
    state->system.scaling = std::move(scaling.scaling);
    state->system.kept_scaling = std::move(scaling.kept);
    state->system.unmatched = std::move(scaling.unmatched);
    state->report.stale_matching = scaling.stale_matching;
    state->report.work.scaling_kept = scaling.was_kept;
    return factorize_state(std::move(state), options, scaling.seconds);
}

namespace {

/// Rounding may leave a positive pivot of a matrix that is not definite: then L L^H does not tell.
template <class T>
void doubt_definite(FactorsState<T>& state, const std::atomic<bool>* cancel) {
    FactorReport& report = state.report;
    if (simulates() || state.kind() != Factorization::llt || report.status != FactorStatus::success) return;
    const JobGuard guard(*state.session);
    const bool may_be = may_be_semidefinite(state, cancel);
    if (state.condition_hint.value) count_examination(state, state.solve_bytes->condition_hint());
    if (!may_be) return;
    report.status = FactorStatus::not_positive_definite;
    report.pivots.failed_column = compare_with_diagonal(state).least_column;
    report.pivots.inertia.reset();
}

}  // namespace

template <class T>
Factors<T> factorize_state(std::shared_ptr<FactorsState<T>> state, const FactorOptions& options,
                           double scaling_seconds) {
    const auto start = RunClock::now();
    std::optional<TraceSpan> span(std::in_place, "factorization");
    state->report.pivoting = carried_out(options.pivoting, state->kind());
    run_factorization(*state, options);
    doubt_definite(*state, options.cancel);
    decide_rank(*state, options);
    if (options.null_pivots == NullPivots::error && state->report.status == FactorStatus::singular)
        throw SingularMatrix(state->report.pivots.small_columns, state->report.pivots.null_rows);
    state->report.work.scaling_seconds = scaling_seconds;
    state->report.seconds = scaling_seconds + std::chrono::duration<double>(RunClock::now() - start).count();
    span.reset();
    if (options.presolve) state->report.work.presolve_seconds = state->device_solve().presolve();
    return factors_with(std::move(state));
}

#define FROND_INSTANTIATE(T)                                                                                \
    template void check_same_pattern<T>(SessionState&, const SparseMatrix<T>&, const Analysis&);            \
    template Factors<T> factorize_matrix<T>(std::shared_ptr<SessionState>, std::shared_ptr<const Analysis>, \
                                            SharedMatrix<T>, const FactorOptions&, ChosenScaling);          \
    template Factors<T> factorize_state<T>(std::shared_ptr<FactorsState<T>>, const FactorOptions&, double);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
