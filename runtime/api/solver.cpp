// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <new>
#include <utility>

#include "factors/factors_state.hpp"
#include "factors/state_of.hpp"
#include "describe_machine.hpp"
#include "frond/cpu/instruction_set.hpp"
#include "frond/solver.hpp"
#include "ranked/ranked_solver.hpp"
#include "session/parallel_for.hpp"
#include "solve/block_views.hpp"
#include "solve/callers_blocks.hpp"
#include "submit/choose_scaling.hpp"
#include "submit/earlier_factors.hpp"
#include "submit/factorize_dense.hpp"
#include "submit/factorize_matrix.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/return_freed_memory.hpp"

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

/// Calls solve(), and gives X back what it had when that fails.
template <class T, class Solve>
SolveReport keeping_x(detail::SessionState& session, DenseView<T> x, void* stream, Solve solve) {
    const auto kept = [&] {
        const detail::JobGuard guard(session);
        return std::make_unique<detail::CallersBlocks<T>>(session, x.as_const(), x, stream);
    }();
    try {
        return solve();
    } catch (...) {
        kept->copy_b_to_x();
        throw;
    }
}

/// The report of `first`, a solution in X, or where another way succeeds of a better one there. Without memory for the
/// other way X stays.
template <class Solve>
SolveReport better_if_room(SolveReport first, Solve solve) {
    try {
        return solve();
    } catch (const MemoryBudgetExceeded&) {
    } catch (const OutOfMemory&) {
    } catch (const std::bad_alloc&) {
    }
    first.short_of_memory = true;
    return first;
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
    : session_(std::move(session)), options_(for_session(options, session_)) {
    detail::state_of(session_)->prepare_devices<T>();
    if (detail::ranks_of(session_) != nullptr)
        ranks_ = detail::ClonedPointer<detail::RankedSolver<T>>(
            std::make_shared<detail::RankedSolver<T>>(session_, options));
}

template <class T>
typename Solver<T>::Basis Solver<T>::basis_of(const SparseMatrix<T>& a, const AnalysisOptions& options) const {
    AnalysisResult result = frond::analyze(a, options);
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

// Only one Solver holds the factors while others may be made in their memory.
template <class T>
template <class Call>
void Solver<T>::on_ranks(const Call& call) {
    struct Results {
        Solver& of;
        ~Results() {
            of.analysis_ = of.ranks_->whole().analysis();
            of.factors_ = of.ranks_->whole().factors();
            of.input_report_ = of.ranks_->input_report();
        }
    };
    factors_ = {};
    const Results results{*this};
    call();
}

template <class T>
const AnalysisReport& Solver<T>::analyze_on_ranks(const detail::MakePart<T>& part) {
    on_ranks([&] { ranks_->analyze(part); });
    return ranks_->analysis_report();
}

template <class T>
const FactorReport& Solver<T>::factor_on_ranks(const detail::MakePart<T>& part, const FactorOptions& options) {
    on_ranks([&] { ranks_->factor(part, options); });
    return ranks_->factor_report();
}

template <class T>
void Solver<T>::use(std::shared_ptr<const Analysis> analysis) {
    if (ranks_) return on_ranks([&] { ranks_->use(analysis); });
    FROND_EXPECTS(analysis != nullptr, "the analysis is null; give one that analyze() or load_analysis() returned");
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
        Factors<T> fresh = make_factors(basis, a, promised, options, earlier);
        detail::state_of(fresh)->first_of_analysis = basis.analysis != factored_analysis_.lock();
        factored_analysis_ = basis.analysis;
        analysis_ = std::move(basis.analysis);
        kept_scaling_ = std::move(basis.kept);
        factors_ = std::move(fresh);
    } catch (...) {
        earlier.restore();
        throw;
    }
    factor_options_ = without_callbacks(options);
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
    const std::shared_ptr<SparseMatrix<T>> a = values_.filled(values, session_);
    try {
        factor_canonical(a, options, true);
    } catch (...) {
        values_.keep(a, false);
        throw;
    }
    values_.keep(a, true);
    return factor_report_;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

template <class T>
const FactorReport& Solver<T>::factor_dense(const DenseMatrixView<T>& a, const FactorOptions& options) try {
    if (ranks_) {
        on_ranks([&] { ranks_->factor_dense(a, options); });
        return ranks_->factor_report();
    }
    const HeapUse heap_use(host_heap());  // the new factors find the pages of the old ones
    detail::check_factor_options(options);
    detail::state_of(session_)->expect_running();
    factors_ = {};
    analysis_ = nullptr;
    kept_scaling_.reset();
    values_.forget();
    input_report_ = {};
    factors_ = detail::factorize_dense(detail::state_of(session_), a, options_, options);
    analysis_ = detail::state_of(factors_)->analysis;
    factor_options_ = without_callbacks(options);
    factor_report_ = factors_.report();
    return factor_report_;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

/// Two sets of factors of a dense matrix would take twice its memory: the earlier ones go first.
template <class T>
void Solver<T>::factor_dense_again(const FactorOptions& options, const FactorReport& before) {
    const DenseMatrixView<T> a = *detail::state_of(factors_)->dense;
    AnalysisOptions analysis_options = options_;
    analysis_options.factorization = before.factorization;
    factors_ = {};
    factors_ = detail::factorize_dense(detail::state_of(session_), a, analysis_options, options);
    factor_options_.pivoting = Pivoting::threshold;
    FactorReport& report = detail::state_of(factors_)->report;
    report.escalated = true;
    report.fell_back_to_ldlt = before.fell_back_to_ldlt;
    factor_report_ = report;
}

template <class T>
bool Solver<T>::may_escalate(const SolveOptions& options) const {
    return factors_ && factor_options_.escalate && options.part == SolvePart::all && options.max_refinement_steps > 0 &&
           factors_.report().pivoting == Pivoting::static_pivots;
}

template <class T>
void Solver<T>::factor_by_threshold(const std::atomic<bool>* cancel) {
    const HeapUse heap_use(host_heap());
    FactorOptions options = factor_options_;
    options.pivoting = Pivoting::threshold;
    options.cancel = cancel;
    const FactorReport before = factors_.report();
    if (detail::state_of(factors_)->dense) return factor_dense_again(options, before);
    const SharedMatrix<T> a = detail::state_of(factors_)->matrix;
    detail::ChosenScaling scaling;
    scaling.scaling = detail::state_of(factors_)->scaling;
    scaling.kept = detail::state_of(factors_)->kept_scaling;
    scaling.was_kept = before.work.scaling_kept;
    scaling.stale_matching = before.stale_matching;
    scaling.unmatched = detail::state_of(factors_)->unmatched;
    detail::EarlierFactors<T> earlier(factors_, factor_options_);
    try {
        factors_ = earlier.beside(*analysis_, *a, true, options, [&](const FactorOptions& within) {
            return detail::factorize_matrix(detail::state_of(session_), analysis_, a, within, scaling);
        });
    } catch (...) {
        earlier.restore();
        throw;
    }
    factor_options_.pivoting = Pivoting::threshold;  // how they are made again
    FactorReport& report = detail::state_of(factors_)->report;
    report.escalated = true;
    report.fell_back_to_ldlt = before.fell_back_to_ldlt;
    factor_report_ = report;
}

template <class T>
SolveReport Solver<T>::solve(BlockView<const T> b, BlockView<T> x, const SolveOptions& options) try {
    if (ranks_) {
        SolveReport report;
        on_ranks([&] {
            report = ranks_->solve(b, x, options, detail::RankedSolver<T>::Escalation::allowed);
        });  // which may bring other factors
        return report;
    }
    if (!may_escalate(options)) return std::as_const(*this).solve(b, x, options);
    const auto start = std::chrono::steady_clock::now();
    const index_t n = analysis_->order;
    const auto kept = [&] {
        const detail::JobGuard guard(*detail::state_of(session_));
        return detail::CallersBlocks<T>(*detail::state_of(session_), checked_view<T>(b, factor_report_, n, "B"),
                                        checked_view<T>(x, factor_report_, n, "X"), options.stream);
    }();
    SolveReport first = std::as_const(*this).solve(b, x, options);
    // At 10 eps nothing is left to gain, whatever was asked for.
    constexpr double rounding = 10 * std::numeric_limits<real_t<T>>::epsilon();
    if (first.status == SolveStatus::converged || first.componentwise_backward_error <= rounding) return first;
    const DenseView<const T> again = kept.b();
    SolveReport report = better_if_room(std::move(first), [&] {
        factor_by_threshold(options.cancel);
        SolveReport second = keeping_x(*detail::state_of(session_), kept.x(), options.stream, [&] {
            return std::as_const(*this).solve({again.data, again.rows, again.cols, again.ld}, x, options);
        });
        second.escalated = true;
        return second;
    });
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
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
