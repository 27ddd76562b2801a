// SPDX-License-Identifier: BSD-3-Clause
#include "driver/local_driver.hpp"

#include <utility>

#include "driver/describe_machine.hpp"
#include "driver/earlier_factors.hpp"
#include "factors/factors_state.hpp"
#include "factors/state_of.hpp"
#include "frond/analysis/distributed_steps.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "submit/choose_scaling.hpp"
#include "submit/factorize_dense.hpp"
#include "submit/factorize_matrix.hpp"
#include "submit/factorize_rows.hpp"

namespace frond::detail {
namespace {

/// What was measured for as many workers as the session has, unless the caller asks for something else.
void take_tuning(AnalysisOptions& options, const SessionState& session) {
    const bool asked = options.deterministic || options.tree_cut != TreeCut{} ||
                       (options.workers > 0 && options.workers != session.cpu_workers());
    if (const TreeCut* cut = session.tuned_cut(); cut != nullptr && !asked) options.tree_cut = *cut;
}

AnalysisOptions for_session(AnalysisOptions options, const Session& session) {
    take_tuning(options, *state_of(session));
    if (options.workers == 0 && !options.deterministic) options.workers = state_of(session)->cpu_workers();
    if (options.cut_for_gpus < 0) options.cut_for_gpus = state_of(session)->gpus();
    if (options.machine.cores == 0) {
        const index_t cores = options.workers > 0 ? options.workers : state_of(session)->cpu_workers();
        options.machine = describe_machine(cores, options.cut_for_gpus, rates(), cpu::instruction_set());
    }
    return options;
}

}  // namespace

template <class T>
LocalDriver<T>::LocalDriver(Session session, const AnalysisOptions& options)
    : Driver<T>(for_session(options, session)), session_(std::move(session)) {
    state_of(session_)->prepare_devices<T>();
}

template <class T>
void LocalDriver<T>::forget() {
    factors_ = {};
    analysis_ = nullptr;
    kept_scaling_.reset();
    values_.forget();
    input_report_ = {};
}

template <class T>
void LocalDriver<T>::take_part(std::shared_ptr<const Analysis> part) {
    forget();
    analysis_ = std::move(part);
}

template <class T>
void LocalDriver<T>::use(const std::shared_ptr<const Analysis>& analysis) {
    FROND_EXPECTS(analysis != nullptr, "the analysis is null; give one that analyze() or load_analysis() returned");
    FROND_EXPECTS(
        is_whole(*analysis),
        "the analysis is the part of one process of several; give one of a Solver with distributed_analysis = off");
    AnalysisOptions options = for_session(analysis->options, session_);
    forget();
    options_ = std::move(options);
    analysis_ = analysis;
}

template <class T>
void LocalDriver<T>::expect_possible(const FactorOptions& options) const {
    check_factor_options(options);
    state_of(session_)->expect_running();
}

/// Members change when the factors are there, and not before.
template <class T>
void LocalDriver<T>::have(Factors<T> fresh, std::shared_ptr<const Analysis> analysis, const FactorOptions& options) {
    state_of(fresh)->condition_hint.is_first_of_analysis = analysis != factored_analysis_.lock();
    factored_analysis_ = analysis;
    analysis_ = std::move(analysis);
    factors_ = std::move(fresh);
    factor_options_ = without_callbacks(options);
    factor_report_ = factors_.report();
}

template <class T>
void LocalDriver<T>::report_origin(bool fell_back_to_ldlt, bool escalated) {
    FactorReport& report = state_of(factors_)->report;
    report.fell_back_to_ldlt = fell_back_to_ldlt;
    report.escalated = escalated;
    factor_report_ = report;
}

template <class T>
void LocalDriver<T>::factor_canonical(const SharedMatrix<T>& a, const FactorOptions& options, Pattern pattern,
                                      std::optional<Factorization> kind) {
    const HeapUse heap_use(host_heap());  // the new factors find the pages of the old ones
    expect_possible(options);
    const bool promised = pattern == Pattern::promised;
    if (analysis_ != nullptr && !promised) check_same_pattern(*state_of(session_), *a, *analysis_);
    EarlierFactors<T> earlier(factors_, factor_options_);
    try {
        Basis basis;
        if (!kind) basis = analysis_ != nullptr ? Basis{analysis_, kept_scaling_} : basis_of(*a);
        const bool known_finite = promised && !is_complex<T>;  // magnitudes of complex numbers may not be
        Factors<T> fresh = make_factors(basis, a, known_finite, options, earlier, kind);
        have(std::move(fresh), std::move(basis.analysis), options);
        kept_scaling_ = std::move(basis.kept);
    } catch (...) {
        earlier.restore();
        throw;
    }
}

template <class T>
Factors<T> LocalDriver<T>::make_factors(Basis& basis, const SharedMatrix<T>& a, bool known_finite,
                                        const FactorOptions& options, EarlierFactors<T>& earlier,
                                        std::optional<Factorization> kind) const {
    const std::shared_ptr<SessionState>& session = state_of(session_);
    const auto scaling_of = [&] { return choose_scaling(*session, *a, *basis.analysis, options, basis.kept); };
    const auto factors_of = [&](const ChosenScaling& scaling) {
        basis.kept = scaling.kept;
        return earlier.beside(*basis.analysis, *a, known_finite, options, [&](const FactorOptions& within) {
            return factorize_matrix(session, basis.analysis, a, within, scaling);
        });
    };
    if (!kind) {
        ChosenScaling scaling = scaling_of();
        if (scaling.stale_matching && options.on_stale_matching == StaleMatching::rematch) {
            basis = basis_of(*a);
            scaling = scaling_of();
        }
        Factors<T> factors = factors_of(scaling);
        kind = this->other_kind(factors.report().status, a->symmetry);
        if (!kind) return factors;
    }
    basis = basis_of(*a, kind);
    Factors<T> factors = factors_of(scaling_of());
    state_of(factors)->report.fell_back_to_ldlt = true;
    return factors;
}

template <class T>
void LocalDriver<T>::factor_dense(const DenseMatrixView<T>& a, const FactorOptions& options) {
    const HeapUse heap_use(host_heap());  // the new factors find the pages of the old ones
    forget();
    expect_possible(options);
    AnalysisOptions analysis_options = options_;
    const auto make = [&] { return factorize_dense(state_of(session_), a, analysis_options, options); };
    Factors<T> factors = make();
    const std::optional<Factorization> other = this->other_kind(factors.report().status, a.symmetry);
    if (other) {
        factors = {};
        analysis_options.factorization = *other;
        factors = make();
        state_of(factors)->report.fell_back_to_ldlt = true;
    }
    const std::shared_ptr<const Analysis> analysis = state_of(factors)->analysis;
    have(std::move(factors), analysis, options);
}

template <class T>
void LocalDriver<T>::factor_rows(std::shared_ptr<const Analysis> part, const SharedMatrix<T>& diagonal,
                                 const std::shared_ptr<const Scaling>& scaling, const FactorOptions& options) {
    const HeapUse heap_use(host_heap());
    expect_possible(options);
    factors_ = {};
    kept_scaling_.reset();
    if (analysis_ != part) values_.forget();
    analysis_ = part;
    Factors<T> fresh = factorize_rows(state_of(session_), part, diagonal, scaling, options);
    have(std::move(fresh), std::move(part), options);
}

/// When a set of factors fails, EarlierFactors has those from before.
template <class T>
void LocalDriver<T>::factor_by_threshold(const std::atomic<bool>* cancel) {
    const HeapUse heap_use(host_heap());
    FactorOptions options = factor_options_;
    options.pivoting = Pivoting::threshold;
    options.cancel = cancel;
    const FactoredMatrix<T> matrix(*state_of(factors_));
    EarlierFactors<T> earlier(factors_, factor_options_);
    try {
        factors_ = earlier.beside(*analysis_, matrix.entries(), true, options,
                                  [&](const FactorOptions& within) { return matrix.factorize(within); });
    } catch (...) {
        earlier.restore();
        throw;
    }
    factor_options_.pivoting = Pivoting::threshold;  // how they are made again
    report_origin(matrix.report().fell_back_to_ldlt, true);
}

#define FROND_INSTANTIATE(T) template class LocalDriver<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
