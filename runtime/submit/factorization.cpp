// SPDX-License-Identifier: BSD-3-Clause
#include "submit/factorization.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "factors/other_ranks.hpp"
#include "factors/recorded_run.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/simulated_cluster.hpp"
#include "frond/codelets/simulated_time.hpp"
#include "frond/codelets/simulation.hpp"
#include "memory/memory_limit.hpp"
#include "memory/predict_peak.hpp"
#include "session/trace_span.hpp"
#include "submit/factor_by_tasks.hpp"
#include "submit/factorization_work.hpp"
#include "submit/fill_report.hpp"
#include "submit/on_simulated_ranks.hpp"
#include "submit/pivot_rule.hpp"
#include "submit/room_for_tiles.hpp"
#include "submit/whole_tree/factor_on_device.hpp"

namespace frond::detail {
namespace {

/// Whether the tree is so little work that waking workers would take as long as a good part of it, and is cut so that
/// each task is a tree of its own: for one task, up to a tenth of a second; where there are several, which workers
/// would share, some milliseconds.
bool is_for_caller(const Analysis& analysis, double flops) {
    constexpr double most_flops_of_one = 5e8, most_flops_of_all = 2e7;
    constexpr std::size_t most_fronts_of_all = 5000;
    const Mapping& mapping = analysis.mapping;
    const bool one = mapping.subtrees.size() == 1;
    const bool is_little = one ? flops <= most_flops_of_one
                               : flops <= most_flops_of_all && analysis.tree.fronts.size() <= most_fronts_of_all;
    const auto is_tree = [&](const Subtree& s) { return analysis.tree.fronts[at(s.root_front)].parent < 0; };
    return is_little && mapping.grids.empty() && std::all_of(mapping.subtrees.begin(), mapping.subtrees.end(), is_tree);
}

/// held_bytes: with what the factorization only needed while it ran.
template <class T>
void leave_rest_to_solves(FactorsState<T>& state, const PeakPrediction& predicted, count_t budget, count_t held_bytes) {
    state.solve_bytes.emplace(*state.analysis, state.session->cpu_workers());
    state.lasting_bytes = held_bytes - (predicted.fixed_bytes - predicted.lasting_bytes);
    state.solve_bound_bytes = budget > 0 ? std::max<count_t>(budget - state.lasting_bytes, 1) : 0;
}

template <class T>
PeakPrediction predicted_peak(const FactorsState<T>& state, OtherRanks<T>* others, const FactorOptions& options) {
    PeakPrediction predicted = state.factors.ownership.is_alone()
                                   ? kept_prediction<T>(*state.analysis, state.session->cpu_workers())
                                   : others->predicted(state);
    if (options.memory_budget_bytes != 0)  // before any work
        static_cast<void>(memory_limit(predicted, budget_bytes(options.memory_budget_bytes), true, false));
    return predicted;
}

/// What only cards that have factored the whole tree leave to the report. Returns the bytes held in addition to the
/// predicted ones.
template <class T>
count_t end_on_cards(FactorsState<T>& state, HostWork& start) {
    if (has_replayed_run())
        throw RuntimeError("recorded pivots are those of tasks, and cards factor the whole tree here");
    start.change("card rest", sizes_of_system(state));
    state.report.work.flops = total_flops(state);
    state.report.memory.peak_bytes_predicted = state.report.memory.peak_bytes;
    return state.factors.parts.bytes_on_host() + FactorParts::bytes_beside(state.factors.parts.places());
}

/// Where cards do not factor the whole tree. Returns the bytes held at the end.
template <class T>
count_t run_tasks(FactorsState<T>& state, const PeakPrediction& predicted, DeviceOutcome outcome, bool is_callers,
                  const FactorOptions& options, PivotReport& pivots, HostWork& start, std::optional<HostWork>& finish) {
    state.session->expect_running();  // the device may be lost
    state.session->pinned_ahead().leave();
    if (state.factors.ownership.is_alone()) state.session->pinned_heap().trim();
    const bool with_devices = state.session->has_devices() && outcome == DeviceOutcome::tasks &&
                              state.factors.selects_rows == SelectsRows::no && have_room_for_tiles(state);
    std::optional<HoldPause> pause;
    if (with_devices) pause.emplace(*state.session);
    if (with_devices && state.factors.ownership.is_alone())
        state.session->forget_kept();  // of branches it is used again
    const Runner runner = with_devices ? Runner::cores_and_devices : is_callers ? Runner::caller : Runner::cores;
    return factor_by_tasks(state, predicted, runner, options, pivots, start, finish);
}

template <class T>
void report_factors(FactorsState<T>& state, const PeakPrediction& predicted, count_t held_bytes,
                    const FactorOptions& options, const PivotReport& pivots) {
    state.report.memory.factor_bytes = predicted.factor_bytes + state.factors.ownership.remote_pivots.factor_bytes;
    leave_rest_to_solves(state, predicted, options.memory_budget_bytes, held_bytes);
    fill_report(state, pivots, pivot_rule<T>(options, state));
}

}  // namespace

template <class T>
void run_factorization(FactorsState<T>& state, const FactorOptions& options) {
    if constexpr (is_simulation)
        if (simulated_cluster().ranks > 0 && SimulatedTime::running() == nullptr)
            return run_on_simulated_ranks(state, options);
    const auto begin = RunClock::now();
    HostWork start("start", host_work(*state.analysis));
    OtherRanks<T>* const others = OtherRanks<T>::of_this_thread();
    if (others != nullptr) state.factors.ownership.share = others->share(state);
    const bool is_callers = state.factors.ownership.is_alone() && is_for_caller(*state.analysis, total_flops(state));
    // Beside a device it is found out below whether that does the work.
    const JobGuard guard(*state.session,
                         is_callers && !state.session->has_devices() ? Workers::resting : Workers::awake);
    PeakPrediction predicted = predicted_peak(state, others, options);
    const auto rule = [&options, &state] { return pivot_rule<T>(options, state); };
    PivotReport pivots;
    std::optional<HostWork> finish;
    const DeviceOutcome outcome = !state.factors.ownership.is_alone()
                                      ? DeviceOutcome::tasks
                                      : factor_on_device<T>(state, predicted, rule, options, pivots);
    const bool by_cards = outcome == DeviceOutcome::done;
    // The prediction is another one where cards have delayed columns.
    const count_t held_bytes = by_cards
                                   ? predicted.fixed_bytes + end_on_cards(state, start)
                                   : run_tasks(state, predicted, outcome, is_callers, options, pivots, start, finish);
    const HostSpan span("report");
    report_factors(state, predicted, held_bytes, options, pivots);
    if (are_pivots_recorded() && !by_cards && state.factors.ownership.is_alone()) add_recorded_run(recorded_run(state));
    if (finish) finish->end();
    const std::chrono::duration<double> elapsed = RunClock::now() - begin;
    state.report.seconds = elapsed.count();
    state.factors.may_be_stored = true;
}

#define FROND_INSTANTIATE(T) template void run_factorization<T>(FactorsState<T>&, const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
