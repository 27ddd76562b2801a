// SPDX-License-Identifier: BSD-3-Clause
#include "driver/earlier_factors.hpp"

#include <algorithm>
#include <shared_mutex>
#include <utility>

#include "factors/factors_state.hpp"
#include "factors/place_factors.hpp"
#include "factors/state_of.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "memory/memory_limit.hpp"
#include "memory/predict_peak.hpp"
#include "memory/tree_room.hpp"
#include "session/trace_span.hpp"
#include "submit/factorize_dense.hpp"
#include "submit/factorize_matrix.hpp"
#include "submit/factorize_rows.hpp"
#include "submit/whole_tree/tree_workspace.hpp"

namespace frond::detail {

template <class T>
FactoredMatrix<T>::FactoredMatrix(const FactorsState<T>& state)
    : session_(state.session),
      analysis_(state.system.analysis),
      matrix_(state.system.matrix),
      is_in_rows_(state.system.is_sparse_of_ranks()),
      report_(state.report) {
    if (state.system.dense()) dense_ = *state.system.dense();
    scaling_.scaling = state.system.scaling;
    scaling_.kept = state.system.kept_scaling;
    scaling_.was_kept = state.report.work.scaling_kept;
    scaling_.stale_matching = state.report.stale_matching;
    scaling_.unmatched = state.system.unmatched;
}

template <class T>
Factors<T> FactoredMatrix<T>::factorize(const FactorOptions& options) const {
    if (is_in_rows_) return factorize_rows(session_, analysis_, matrix_, scaling_.scaling, options);
    if (!dense_) return factorize_matrix(session_, analysis_, matrix_, options, scaling_);
    AnalysisOptions same = analysis_->options;
    same.factorization = analysis_->factorization;
    return factorize_dense(session_, *dense_, same, options);
}

template <class T>
EarlierFactors<T>::EarlierFactors(Factors<T>& factors, FactorOptions made_with)
    : factors_(factors), made_with_(std::move(made_with)) {}

/// What earlier and new factors may take together. Beyond it the earlier ones go first: two sets that alternate take
/// twice the memory, and find its pages cleared by the system, which made a factorization of poisson2d 1000 on two cores
/// 1.2 to 1.5 times as long.
constexpr count_t little_bytes = count_t{1} << 26;

template <class T>
bool EarlierFactors<T>::have_room_beside(const Analysis& next, const FactorOptions& options) const {
    const FactorsState<T>& earlier = *state_of(factors_);
    if (earlier.system.dense() != nullptr || earlier.system.is_sparse_of_ranks()) return false;
    if (earlier.report.place.on_device) return have_room_on_device(next);
    const count_t predicted = kept_prediction<T>(next, earlier.session->cpu_workers()).parallel_bytes;
    // Columns that pivoting sets back make it more, of similar values about as much.
    const count_t needed = std::max(predicted, earlier.report.memory.peak_bytes);
    const count_t given = options.memory_budget_bytes, both = needed + earlier.report.memory.factor_bytes;
    return both <= little_bytes && (given == 0 || both <= given);
}

/// The workspace of the last factorization is used again: where it does without the host's memory.
template <class T>
bool EarlierFactors<T>::have_room_on_device(const Analysis& next) const {
    const FactorsState<T>& earlier = *state_of(factors_);
    const auto device = gpu::first_device();
    {
        const std::shared_lock lock(earlier.factors.place_mutex);
        if (!device || earlier.factors.parts.is_empty() || earlier.factors.parts.bytes_on_host() > 0) return false;
    }
    const count_t needed = factor_bytes_on_device<T>(next);
    return 2 * needed <= little_bytes && earlier.session->held_bytes() + earlier.session->workspace_bytes() +
                                                 earlier.session->spare_solve_bytes() + needed <=
                                             room_for_tree(*device);
}

template <class T>
FactorOptions EarlierFactors<T>::within(FactorOptions options) const {
    const FactorsState<T>& state = *state_of(factors_);
    const count_t elsewhere = state.factors.ownership.remote_pivots.factor_bytes;
    if (options.memory_budget_bytes > 0 && !state.report.place.on_device)
        options.memory_budget_bytes -= state.report.memory.factor_bytes - elsewhere;
    return options;
}

/// These come when the earlier factors have gone.
template <class T>
void EarlierFactors<T>::leave_rest_to_solves(Factors<T>& made, const FactorOptions& options) const {
    if (options.memory_budget_bytes > 0)
        state_of(made)->solve_bound_bytes += options.memory_budget_bytes - within(options).memory_budget_bytes;
}

/// What can be seen before any work is no reason to make the earlier factors again.
template <class T>
void EarlierFactors<T>::expect_no_refusal(const Analysis& next, const FactorOptions& options) const {
    if (options.cancel != nullptr && options.cancel->load()) throw Cancelled("the factorization was cancelled");
    if (options.memory_budget_bytes == 0) return;
    const FactorsState<T>& earlier = *state_of(factors_);
    if (!earlier.factors.ownership.is_alone() && &next != earlier.analysis.get())
        return;  // who will have what is not known yet
    const index_t workers = earlier.session->cpu_workers();
    const PeakPrediction predicted = earlier.factors.ownership.is_alone()
                                         ? kept_prediction<T>(next, workers)
                                         : predict_peak<T>(next, workers, earlier.factors.ownership.share.get());
    static_cast<void>(memory_limit(predicted, budget_bytes(options.memory_budget_bytes), true, false));
}

template <class T>
void EarlierFactors<T>::let_go() {
    const HostSpan span("release factors");
    gone_.emplace(*state_of(factors_));
    factors_ = {};
}

template <class T>
void EarlierFactors<T>::restore() noexcept {
    if (factors_ || !gone_) return;
    try {
        factors_ = gone_->factorize(made_with_);
        FactorReport& report = state_of(factors_)->report;
        report.fell_back_to_ldlt = gone_->report().fell_back_to_ldlt;
        report.escalated = gone_->report().escalated;
    } catch (...) {  // the error that the caller sees is the first one
        factors_ = {};
    }
}

#define FROND_INSTANTIATE(T)          \
    template class FactoredMatrix<T>; \
    template class EarlierFactors<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
