// SPDX-License-Identifier: BSD-3-Clause
// Where a solve after static pivoting does not reach the accuracy, factors with threshold pivoting are tried.
#include <chrono>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "factors/factors_state.hpp"
#include "factors/state_of.hpp"
#include "frond/solver.hpp"
#include "on_ranks.hpp"
#include "solve/block_views.hpp"
#include "solve/callers_blocks.hpp"
#include "submit/choose_scaling.hpp"
#include "submit/earlier_factors.hpp"
#include "submit/factorize_dense.hpp"
#include "submit/factorize_matrix.hpp"

#include "frond/base/host_heap.hpp"
#include "frond/base/instantiate.hpp"

namespace frond {
namespace {

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

}  // namespace

/// Two sets of factors of a dense matrix would take twice its memory: the earlier ones go first.
template <class T>
void Solver<T>::factor_dense_again(const FactorOptions& options, const FactorReport& before) {
    const DenseMatrixView<T> a = *detail::state_of(factors_)->system.dense();
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
    if (detail::state_of(factors_)->system.dense()) return factor_dense_again(options, before);
    if (detail::state_of(factors_)->system.is_sparse_of_ranks()) return factor_rows_again(options, before);
    const SharedMatrix<T> a = detail::state_of(factors_)->system.matrix;
    detail::ChosenScaling scaling;
    scaling.scaling = detail::state_of(factors_)->system.scaling;
    scaling.kept = detail::state_of(factors_)->system.kept_scaling;
    scaling.was_kept = before.work.scaling_kept;
    scaling.stale_matching = before.stale_matching;
    scaling.unmatched = detail::state_of(factors_)->system.unmatched;
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

#define FROND_INSTANTIATE(T) \
    template SolveReport Solver<T>::solve(BlockView<const T>, BlockView<T>, const SolveOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
