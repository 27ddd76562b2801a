// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "factors/factors_state.hpp"
#include "factors/state_of.hpp"
#include "describe_machine.hpp"
#include "on_ranks.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/solver.hpp"
#include "ranked/ranked_solver.hpp"
#include "session/parallel_for.hpp"
#include "submit/choose_scaling.hpp"
#include "submit/earlier_factors.hpp"
#include "submit/factorize_dense.hpp"
#include "submit/factorize_matrix.hpp"
#include "submit/pin_ahead.hpp"

#include "frond/analysis/counted_factors.hpp"
#include "frond/analysis/distributed_steps.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/hardware.hpp"

namespace frond {
namespace {

/// What was measured for as many workers as the session has, unless the caller asks for something else.
void take_tuning(AnalysisOptions& options, const detail::SessionState& session) {
    const bool asked = options.deterministic || options.tree_cut != TreeCut{} ||
                       (options.workers > 0 && options.workers != session.cpu_workers());
    if (const TreeCut* cut = session.tuned_cut(); cut != nullptr && !asked) options.tree_cut = *cut;
}

AnalysisOptions for_session(AnalysisOptions options, const Session& session) {
    take_tuning(options, *detail::state_of(session));
    if (options.workers == 0 && !options.deterministic) options.workers = detail::state_of(session)->cpu_workers();
    if (options.cut_for_gpus < 0) options.cut_for_gpus = detail::state_of(session)->gpus();
    if (options.machine.cores == 0) {
        const index_t cores = options.workers > 0 ? options.workers : detail::state_of(session)->cpu_workers();
        options.machine = detail::describe_machine(cores, options.cut_for_gpus, rates(), cpu::instruction_set());
    }
    return options;
}

}  // namespace

template <class T>
Solver<T>::Solver(Session session, AnalysisOptions options)
    : session_(std::move(session)), options_(for_session(options, session_)) {
    detail::state_of(session_)->prepare_devices<T>();
    if (detail::ranks_of(session_) != nullptr)
        ranks_ = detail::ClonedPointer<detail::RankedSolver<T>>(
            std::make_shared<detail::RankedSolver<T>>(session_, options));
}

template <class T>
typename Solver<T>::Basis Solver<T>::basis_of(const SparseMatrix<T>& a, const AnalysisOptions& options) const {
    detail::AheadOfFactorization ahead(detail::state_of(session_));
    AnalysisResult result = analyze_observed(a, options, [&ahead](const CountedTree& tree, Factorization kind) {
        ahead.begin(tree, kind, sizeof(T));
    });
    result.analysis = ahead.kept_by(std::move(result.analysis));
    return_freed_memory();
    const bool unscaled = result.analysis->factorization == Factorization::llt && result.scaling.row.empty();
    Basis basis{std::move(result.analysis), nullptr};
    if (!unscaled && detail::is_kept(*basis.analysis))
        basis.kept = std::make_shared<const KeptScaling>(std::move(result.scaling), false, a, *basis.analysis,
                                                         detail::parallel_for_outside_jobs(*detail::state_of(session_),
                                                                                           "scaling"));
    return basis;
}

template <class T>
void Solver<T>::analyze_canonical(const SparseMatrix<T>& a) {
    factors_ = {};
    Basis basis = basis_of(a, options_);
    analysis_ = std::move(basis.analysis);
    kept_scaling_ = std::move(basis.kept);
    values_.forget();
}

template <class T>
index_t Solver<T>::list_threads() const {
    if (options_.threads > 0) return options_.threads;
    return std::clamp(detail::state_of(session_)->cpu_workers(), 1, std::max(1, usable_cores()));
}

template <class T>
const AnalysisReport& Solver<T>::analyze_on_ranks(const detail::GivenPart<T>& part) {
    on_ranks([&] { ranks_->analyze(part.make); });
    return ranks_->analysis_report();
}

template <class T>
const FactorReport& Solver<T>::factor_on_ranks(const detail::GivenPart<T>& part, const FactorOptions& options) {
    on_ranks([&] { ranks_->factor(part, options); });
    return ranks_->factor_report();
}

template <class T>
void Solver<T>::use(std::shared_ptr<const Analysis> analysis) {
    if (ranks_) return on_ranks([&] { ranks_->use(analysis); });
    FROND_EXPECTS(analysis != nullptr, "the analysis is null; give one that analyze() or load_analysis() returned");
    FROND_EXPECTS(
        is_whole(*analysis),
        "the analysis is the part of one process of several; give one of a Solver with distributed_analysis = off");
    AnalysisOptions options = for_session(analysis->options, session_);
    factors_ = {};
    options_ = std::move(options);
    analysis_ = std::move(analysis);
    kept_scaling_.reset();
    values_.forget();
    input_report_ = {};
}

/// Members change when the factors are there, and not before.
template <class T>
const FactorReport& Solver<T>::factor_canonical(SharedMatrix<T> a, const FactorOptions& options, bool promised) {
    const HeapUse heap_use(host_heap());  // the new factors find the pages of the old ones
    detail::SessionState& session = *detail::state_of(session_);
    detail::check_factor_options(options);
    session.expect_running();
    if (analysis_ != nullptr && !promised) detail::check_same_pattern(session, *a, *analysis_);
    detail::EarlierFactors<T> earlier(factors_, factor_options_);
    try {
        Basis basis = analysis_ != nullptr ? Basis{analysis_, kept_scaling_} : basis_of(*a, options_);
        const bool known_finite = promised && !is_complex<T>;  // magnitudes of complex numbers may not be
        Factors<T> fresh = make_factors(basis, a, known_finite, options, earlier);
        detail::state_of(fresh)->condition_hint.is_first_of_analysis = basis.analysis != factored_analysis_.lock();
        factored_analysis_ = basis.analysis;
        analysis_ = std::move(basis.analysis);
        kept_scaling_ = std::move(basis.kept);
        factors_ = std::move(fresh);
    } catch (...) {
        earlier.restore();
        throw;
    }
    factor_options_ = detail::without_callbacks(options);
    factor_report_ = factors_.report();
    return factor_report_;
}

template <class T>
Factors<T> Solver<T>::make_factors(Basis& basis, const SharedMatrix<T>& a, bool known_finite,
                                   const FactorOptions& options, detail::EarlierFactors<T>& earlier) const {
    const auto factors_of = [&](const detail::ChosenScaling& scaling) {
        basis.kept = scaling.kept;
        return earlier.beside(*basis.analysis, *a, known_finite, options, [&](const FactorOptions& within) {
            return detail::factorize_matrix(detail::state_of(session_), basis.analysis, a, within, scaling);
        });
    };
    const auto scaling_of = [&] {
        return detail::choose_scaling(*detail::state_of(session_), *a, *basis.analysis, options, basis.kept);
    };
    detail::ChosenScaling scaling = scaling_of();
    if (scaling.stale_matching && options.on_stale_matching == StaleMatching::rematch) {
        basis = basis_of(*a, options_);
        scaling = scaling_of();
    }
    Factors<T> factors = factors_of(scaling);
    // The automatic choice of L L^H was a guess from the diagonal.
    const bool guessed_wrong = options_.factorization == Factorization::automatic &&
                               factors.report().status == FactorStatus::not_positive_definite;
    if (!guessed_wrong) return factors;
    factors = {};
    AnalysisOptions indefinite = options_;
    indefinite.factorization = a->symmetry == Symmetry::hermitian ? Factorization::ldlh : Factorization::ldlt;
    basis = basis_of(*a, indefinite);
    factors = factors_of(scaling_of());
    detail::state_of(factors)->report.fell_back_to_ldlt = true;
    return factors;
}

template <class T>
const FactorReport& Solver<T>::factor_values(std::span<const T> values, const FactorOptions& options) try {
    if (ranks_) {
        on_ranks([&] { ranks_->factor_values(values, options); });
        return ranks_->factor_report();
    }
    FROND_EXPECTS(values_.is_known(), analysis_ == nullptr ? "nothing was analysed: call analyze()"
                                                           : "the order of the values is not known: the analysis is "
                                                             "one of load_analysis(); call factor() once");
    return factor_known(values_.filled(values, session_), options);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

template <class T>
std::shared_ptr<SparseMatrix<T>> Solver<T>::of_known_order(std::span<const T> values) {
    try {
        std::shared_ptr<SparseMatrix<T>> a = values_.filled(values, session_, &input_report_);
        detail::state_of(session_)->count_known_list();
        return a;
    } catch (const InvalidMatrix&) {
        return nullptr;
    }
}

template <class T>
const FactorReport& Solver<T>::factor_known(std::shared_ptr<SparseMatrix<T>> a, const FactorOptions& options) {
    try {
        factor_canonical(a, options, true);
    } catch (...) {
        values_.keep(std::move(a), false);
        throw;
    }
    values_.keep(std::move(a), true);
    return factor_report_;
}

template <class T>
const FactorReport& Solver<T>::factor_dense(const DenseMatrixView<T>& a, const FactorOptions& options) try {
    if (ranks_) {
        on_ranks([&] { ranks_->factor_dense(a, options); });
        return ranks_->factor_report();
    }
    const HeapUse heap_use(host_heap());  // the new factors find the pages of the old ones
    factors_ = {};
    analysis_ = nullptr;
    kept_scaling_.reset();
    values_.forget();
    input_report_ = {};
    detail::check_factor_options(options);
    detail::state_of(session_)->expect_running();
    factors_ = detail::factorize_dense(detail::state_of(session_), a, options_, options);
    analysis_ = detail::state_of(factors_)->analysis;
    factor_options_ = detail::without_callbacks(options);
    factor_report_ = factors_.report();
    return factor_report_;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

template <class T>
SolveReport Solver<T>::solve(BlockView<const T> b, BlockView<T> x, const SolveOptions& options) const {
    if (ranks_) return ranks_->solve(b, x, options, detail::RankedSolver<T>::Escalation::no);
    FROND_EXPECTS(b.row_map == nullptr && x.row_map == nullptr,
                  "row_map is for sessions with a communicator; leave it null");
    FROND_EXPECTS(bool(factors_), "there are no factors yet; call factor() first");
    return frond::solve(factors_, b, x, options);
}

#define FROND_INSTANTIATE(T) template class Solver<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
