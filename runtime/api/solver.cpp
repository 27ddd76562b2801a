// SPDX-License-Identifier: BSD-3-Clause
#include "data/factors_state.hpp"
#include "frond/solver.hpp"
#include "session/parallel_for.hpp"
#include "solve/block_views.hpp"
#include "solve/callers_blocks.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/return_freed_memory.hpp"
#include "frond/matrix/operations.hpp"

namespace frond {
namespace {

AnalysisOptions for_session(AnalysisOptions options, const Session& session) {
    if (options.workers == 0 && !options.deterministic) options.workers = session.info().cpu_workers;
    if (options.cut_for_gpus < 0) options.cut_for_gpus = session.info().gpus;
    return options;
}

/// What may be kept for later: the caller's function and flag live as long as the call.
FactorOptions without_callbacks(FactorOptions options) {
    options.progress = {};
    options.cancel = nullptr;
    return options;
}

}  // namespace

template <class T>
Solver<T>::Solver(Session session, AnalysisOptions options)
    : session_(std::move(session)), options_(for_session(std::move(options), session_)) {}

template <class T>
const AnalysisReport& Solver<T>::analyze_canonical(const SparseMatrix<T>& a) {
    factors_ = {};
    AnalysisResult result = frond::analyze(a, options_);
    return_freed_memory();
    analysis_ = std::move(result.analysis);
    scaling_ = std::move(result.scaling);
    scaled_values_hash_ = hash_values(a.value);
    return analysis_->report;
}

template <class T>
void Solver<T>::use(std::shared_ptr<const Analysis> analysis) {
    FROND_EXPECTS(analysis != nullptr, "the analysis is null");
    AnalysisOptions options = for_session(analysis->options, session_);
    factors_ = {};
    options_ = std::move(options);
    analysis_ = std::move(analysis);
    scaling_ = {};
    scaled_values_hash_.reset();
    input_report_ = {};
}

template <class T>
std::uint64_t Solver<T>::hash_of(const std::vector<T>& values) const {
    return hash_values(values, detail::parallel_for_outside_jobs(*session_.state()));
}

template <class T>
const FactorReport& Solver<T>::factor_canonical(SharedMatrix<T> a, const FactorOptions& options) {
    if (analysis_ == nullptr) analyze_canonical(*a);
    factors_ = {};
    factor_options_ = without_callbacks(options);
    if (options.on_stale_matching == StaleMatching::rematch) rematch_if_stale(*a);
    const bool same_values = hash_of(a->value) == scaled_values_hash_;
    factors_ = factorize(session_, analysis_, std::move(a), options, same_values ? &scaling_ : nullptr);
    // The automatic choice of L L^H was a guess from the diagonal.
    if (options_.factorization == Factorization::automatic &&
        factors_.report().status == FactorStatus::not_positive_definite)
        factor_indefinite(options);
    factor_report_ = factors_.report();
    return factor_report_;
}

/// Values that the matching of the analysis suits badly are analysed anew.
template <class T>
void Solver<T>::rematch_if_stale(const SparseMatrix<T>& a) {
    const bool comparable = analysis_->report.matched && a.cols() == analysis_->order &&
                            a.entries() == analysis_->entries &&
                            hash_pattern(a.pattern) == analysis_->pattern_hash;
    const std::uint64_t hash = hash_of(a.value);
    if (!comparable || hash == scaled_values_hash_) return;
    bool stale = false;
    scaling_ = compute_scaling(a, *analysis_, &stale);
    scaled_values_hash_ = hash;
    if (stale) analyze_canonical(a);
}

template <class T>
void Solver<T>::factor_indefinite(const FactorOptions& options) {
    SharedMatrix<T> a = factors_.state()->matrix;
    factors_ = {};
    AnalysisOptions indefinite = options_;
    indefinite.factorization =
        a->symmetry == Symmetry::hermitian ? Factorization::ldlh : Factorization::ldlt;
    AnalysisResult result = frond::analyze(*a, indefinite);
    return_freed_memory();
    analysis_ = std::move(result.analysis);
    scaling_ = std::move(result.scaling);
    scaled_values_hash_ = hash_values(a->value);
    factors_ = factorize(session_, analysis_, std::move(a), options, &scaling_);
    factors_.state()->report.fell_back_to_ldlt = true;
}

template <class T>
bool Solver<T>::may_escalate(const SolveOptions& options) const {
    return factors_ && factor_options_.escalate && options.part == SolvePart::all &&
           options.max_refinement_steps > 0 && factors_.report().pivoting == Pivoting::static_pivots;
}

template <class T>
void Solver<T>::factor_by_threshold(const std::atomic<bool>* cancel) {
    FactorOptions options = factor_options_;
    options.pivoting = Pivoting::threshold;
    options.cancel = cancel;
    const Scaling scaling = factors_.state()->scaling;
    const FactorReport before = factors_.report();
    SharedMatrix<T> a = factors_.state()->matrix;
    factors_ = {};
    factors_ = factorize(session_, analysis_, std::move(a), options, &scaling);
    FactorReport& report = factors_.state()->report;
    report.escalated = true;
    report.fell_back_to_ldlt = before.fell_back_to_ldlt;
    report.stale_matching = before.stale_matching;
    factor_report_ = report;
}

template <class T>
SolveReport Solver<T>::solve(BlockView<const T> b, BlockView<T> x, const SolveOptions& options) try {
    if (!may_escalate(options)) return std::as_const(*this).solve(b, x, options);
    const auto start = std::chrono::steady_clock::now();
    const index_t n = analysis_->order;
    const auto kept = [&] {
        const detail::JobGuard guard(*session_.state());
        return detail::CallersBlocks<T>(*session_.state(), checked_view<T>(b, factor_report_, n, "B"),
                                        checked_view<T>(x, factor_report_, n, "X"), options.stream);
    }();
    SolveReport report = std::as_const(*this).solve(b, x, options);
    // At 10 eps nothing is left to gain, whatever was asked for.
    constexpr double rounding = 10 * std::numeric_limits<real_t<T>>::epsilon();
    if (report.status == SolveStatus::converged || report.componentwise_backward_error <= rounding)
        return report;
    factor_by_threshold(options.cancel);
    const DenseView<const T> again = kept.b();
    report = std::as_const(*this).solve({again.data, again.rows, again.cols, again.ld}, x, options);
    report.escalated = true;
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

template <class T>
SolveReport Solver<T>::solve(BlockView<const T> b, BlockView<T> x, const SolveOptions& options) const {
    FROND_EXPECTS(bool(factors_), "there are no factors yet; call factor() first");
    return frond::solve(factors_, b, x, options);
}

#define FROND_INSTANTIATE(T) template class Solver<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
