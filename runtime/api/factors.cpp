// SPDX-License-Identifier: BSD-3-Clause
#include "data/factors_state.hpp"
#include "data/pivots.hpp"
#include "data/rank_gap.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/operations.hpp"
#include "session/parallel_for.hpp"
#include "submit/factorization.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace frond {

template <class T>
Factors<T>::Factors(std::shared_ptr<detail::FactorsState<T>> state) : state_(std::move(state)) {}

template <class T>
const FactorReport& Factors<T>::report() const {
    FROND_EXPECTS(state_ != nullptr, "there are no factors yet; call factor() first");
    return state_->report;
}

template <class T>
const Analysis& Factors<T>::analysis() const {
    FROND_EXPECTS(state_ != nullptr, "there are no factors yet; call factor() first");
    return *state_->analysis;
}

template <class T>
std::optional<typename Factors<T>::LogDeterminant> Factors<T>::log_determinant() const try {
    const FactorStatus status = report().status;
    if (status != FactorStatus::success) return std::nullopt;
    const detail::JobGuard guard(*state_->session);
    return detail::log_determinant(*state_);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

namespace {

template <class T>
void check_same_pattern(const Analysis& analysis, const SparseMatrix<T>& a, detail::SessionState& session) {
    FROND_EXPECTS(a.rows() == analysis.order && a.cols() == analysis.order,
                  "the matrix is " + std::to_string(a.rows()) + " x " + std::to_string(a.cols()) +
                      ", the analysed one of order " + std::to_string(analysis.order) +
                      "; analyze it first");
    FROND_EXPECTS(a.entries() == analysis.entries && a.symmetry == analysis.symmetry &&
                      hash_pattern(a.pattern, detail::parallel_for_outside_jobs(session)) == analysis.pattern_hash,
                  "the pattern of the matrix differs from the analysed one; analyze it first");
}

/// What `automatic` stands for.
Pivoting carried_out(Pivoting asked, Factorization kind) {
    if (kind == Factorization::llt) return Pivoting::none;
    return asked == Pivoting::automatic ? Pivoting::threshold : asked;
}

/// Factors once more when the first factors leave the rank in doubt and a gap in the pivots tells it.
template <class T>
void repeat_for_rank(detail::FactorsState<T>& state, FactorOptions options) {
    // Where scaling is off, small pivots may be those of small rows.
    const bool in_doubt = state.report.pivoting == Pivoting::threshold && state.analysis->options.scaling != ScalingMethod::none &&
                          state.report.status == FactorStatus::singular && options.null_pivot_tolerance == 0;
    if (!in_doubt) return;
    const detail::JobGuard guard(*state.session);
    const double bound = detail::bound_in_rank_gap(state);
    if (bound == 0) return;
    options.null_pivot_tolerance = std::min(1.0, bound / state.largest_entry);
    FactorReport fresh;
    fresh.pivoting = state.report.pivoting;
    fresh.stale_matching = state.report.stale_matching;
    fresh.repeated_for_rank = true;
    const FactorReport first = std::exchange(state.report, std::move(fresh));
    state.drop_factors();
    detail::run_factorization(state, options);
    // The time is that of both, too.
    state.report.flops += first.flops;
    state.report.tasks += first.tasks;
    state.report.subtree_tasks += first.subtree_tasks;
    state.report.peak_bytes = std::max(state.report.peak_bytes, first.peak_bytes);
}

}  // namespace

template <class T>
Factors<T> factorize(const Session& session, std::shared_ptr<const Analysis> analysis, SparseMatrix<T> a,
                     const FactorOptions& options, const Scaling* scaling) try {
    SharedMatrix<T> kept = std::make_shared<const SparseMatrix<T>>(std::move(a));
    return factorize(session, std::move(analysis), std::move(kept), options, scaling);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

template <class T>
Factors<T> factorize(const Session& session, std::shared_ptr<const Analysis> analysis, SharedMatrix<T> a,
                     const FactorOptions& options, const Scaling* scaling) try {
    const auto start = std::chrono::steady_clock::now();
    FROND_EXPECTS(analysis != nullptr, "factorize needs an analysis");
    FROND_EXPECTS(options.static_pivot_tolerance >= 0 && options.static_pivot_tolerance <= 1,
                  "static_pivot_tolerance must lie in [0, 1]");
    FROND_EXPECTS(options.pivot_threshold >= 0 && options.pivot_threshold <= 0.5,
                  "pivot_threshold must lie in [0, 0.5]");
    FROND_EXPECTS(options.null_pivot_tolerance >= 0 && options.null_pivot_tolerance <= 1,
                  "null_pivot_tolerance must lie in [0, 1]");
    session.state()->expect_running();
    check_same_pattern(*analysis, *detail::not_null(a), *session.state());
    auto state = std::make_shared<detail::FactorsState<T>>();
    state->session = session.state();
    state->analysis = std::move(analysis);
    state->matrix = std::move(a);
    const auto scale_start = std::chrono::steady_clock::now();
    if (scaling != nullptr)
        state->scaling = *scaling;
    else
        state->scaling = compute_scaling(*state->matrix, *state->analysis, &state->report.stale_matching);
    state->unmatched = unmatched_part(*state->matrix, *state->analysis);
    const auto now = std::chrono::steady_clock::now();
    state->report.pivoting = carried_out(options.pivoting, state->kind());
    detail::run_factorization(*state, options);
    repeat_for_rank(*state, options);
    if (options.null_pivots == NullPivots::error && state->report.status == FactorStatus::singular)
        throw SingularMatrix(state->report.small_pivots, state->report.null_rows);
    state->report.scaling_seconds = std::chrono::duration<double>(now - scale_start).count();
    state->report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (options.presolve) state->report.presolve_seconds = state->device_solve().presolve();
    return Factors<T>(std::move(state));
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T)                                                                          \
    template class Factors<T>;                                                                        \
    template Factors<T> factorize<T>(const Session&, std::shared_ptr<const Analysis>, SparseMatrix<T>, \
                                     const FactorOptions&, const Scaling*);                           \
    template Factors<T> factorize<T>(const Session&, std::shared_ptr<const Analysis>, SharedMatrix<T>, \
                                     const FactorOptions&, const Scaling*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
