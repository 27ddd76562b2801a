// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fronts/unit_factorization.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/codelets/time_models.hpp"

namespace frond::detail {

template <class T>
UnitFactorization<T>::UnitFactorization(FactorsState<T>& state, const PeakPrediction& predicted, const Input& input)
    : budget_(factorization_budget(predicted, input.memory_budget_bytes, input.rule.threshold > 0)),
      limit_bytes_(budget_.limit_bytes()),
      workspaces_(workspace_bytes<T>(*state.analysis)),
      job_(input.runner == Runner::caller ? at_once_engine() : state.session->engine(), input.cancel) {
    const Analysis& analysis = *state.analysis;
    const bool with_devices = input.runner == Runner::cores_and_devices;
    budget_.add(predicted.fixed_bytes);
    if (analysis.options.deterministic && with_devices) job_.fix_places();
    if (!with_devices) job_.keep_to_cores();
    if (!state.factors.ownership.is_alone()) messages_.emplace(job_, *state.factors.ownership.share, analysis.tree);
    set_context(state, input);
    context_.most_pending_tasks = predicted.most_pending_tasks;
    state.factors.subtrees().resize(analysis.mapping.subtrees.size());
    state.factors.tiled().resize(analysis.mapping.grids.size());
    units_.emplace(context_, analysis);
}

template <class T>
void UnitFactorization<T>::set_context(FactorsState<T>& state, const Input& input) {
    context_.job = &job_;
    context_.state = &state;
    context_.entries = input.entries;
    context_.rule = input.rule;
    context_.with_devices = input.runner == Runner::cores_and_devices;
    context_.budget = &budget_;
    context_.workspaces = &workspaces_;
    context_.share = state.factors.ownership.share.get();
    context_.failing_unit = input.failing_unit;
    context_.replay = input.replay;
    context_.made = input.made;
    if (messages_) context_.messages = &*messages_;
    for (const double b : state.analysis->mapping.bottom_level_flops)
        context_.longest_path_flops = std::max(context_.longest_path_flops, b);
}

/// Before there are tasks.
template <class T>
void UnitFactorization<T>::make_units() {
    context_.made->make();
    if (context_.made->leaves_room_for_tiles()) return;
    context_.with_devices = false;
    job_.keep_to_cores();
}

template <class T>
void UnitFactorization<T>::submit() noexcept {
    try {
        if (context_.made != nullptr) make_units();
        const double start = thread_seconds();
        units_->submit_all();
        TaskWork submitted;
        submitted.items = static_cast<double>(job_.submitted());
        if (are_times_recorded() && !job_.runs_at_once())
            add_time("submit", nullptr, submitted, thread_seconds() - start);
    } catch (...) {
        job_.fail(std::current_exception());
    }
}

template <class T>
void UnitFactorization<T>::end_loading() noexcept {
    try {
        if (context_.loading != nullptr) context_.loading->load(nullptr);
    } catch (...) {
        job_.fail(std::current_exception());
    }
}

template <class T>
void UnitFactorization<T>::collect(FactorReport& report, PivotReport& pivots) const {
    report.work.flops = job_.done_flops();
    report.work.tasks = job_.submitted();
    units_->collect(report, pivots);
    report.memory.peak_bytes = budget_.peak_bytes();
    report.memory.peak_bytes_predicted = limit_bytes_;
}

#define FROND_INSTANTIATE(T) template class UnitFactorization<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
