// SPDX-License-Identifier: BSD-3-Clause
#include "submit/factorization.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "factors/other_ranks.hpp"
#include "factors/recorded_run.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/simulated_cluster.hpp"
#include "frond/codelets/simulated_time.hpp"
#include "frond/codelets/simulation.hpp"
#include "frond/codelets/time_models.hpp"
#include "memory/memory_limit.hpp"
#include "memory/predict_peak.hpp"
#include "session/moved_bytes.hpp"
#include "session/parallel_for.hpp"
#include "session/trace_span.hpp"
#include "substitution/device_solve.hpp"
#include "submit/factor_on_device.hpp"
#include "submit/fill_report.hpp"
#include "submit/on_simulated_ranks.hpp"
#include "submit/scaled_entries.hpp"
#include "submit/fronts/unit_factorization.hpp"

namespace frond::detail {
namespace {

/// Largest null pivot in units of eps ||scaled A||; in single precision sqrt(eps) is less.
constexpr double null_pivot_in_eps = 1e4;
constexpr double default_pivot_threshold = 0.01;
/// L U of a dense matrix starts over with other rows when more columns than this part of n, and this many, have failed.
constexpr index_t failed_share = 64, least_failed = 16;

template <class T>
PivotRule pivot_rule(const FactorOptions& options, const FactorsState<T>& state) {
    const double eps = std::numeric_limits<real_t<T>>::epsilon();
    const double size = state.largest_entry > 0 ? state.largest_entry : 1;  // even of the zero matrix
    PivotRule rule;
    rule.zero_pivot = eps * size;
    if (state.report.pivoting == Pivoting::threshold) {
        // Rounding leaves this much of a null pivot: the growth of the errors, up to n, is mostly far less. Whether
        // it was rounding is found out afterwards (decide_rank).
        rule.zero_pivot =
            options.null_pivot_tolerance > 0
                ? options.null_pivot_tolerance * size
                : rule.zero_pivot * std::min({10.0 * state.analysis->order, null_pivot_in_eps, 1 / std::sqrt(eps)});
        rule.threshold = options.pivot_threshold > 0 ? options.pivot_threshold : default_pivot_threshold;
        rule.smallest_pivot = size;  // stands in for a null pivot until the column is given back
    } else if (state.report.pivoting == Pivoting::static_pivots) {
        rule.smallest_pivot =
            size * (options.static_pivot_tolerance > 0 ? options.static_pivot_tolerance : std::sqrt(eps));
    }
    return rule;
}

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

/// items: entries; rows: order.
template <class T>
TaskWork sizes_of_system(const FactorsState<T>& state) {
    TaskWork sizes;
    sizes.items = static_cast<double>(state.matrix->entries());
    sizes.rows = state.analysis->order;
    return sizes;
}

template <class T>
void prepare_system(const FactorsState<T>& state) {
    const WorkBesideTasks work("system", sizes_of_system(state));
    const HostSpan span("system by rows");
    if constexpr (is_simulation) return;
    if (state.dense_ranks == nullptr) state.system(Operation::none);  // the ranks are at work
}

/// For the first solve, beside the last tasks. The others of the factorization's job do not wait for it.
template <class T>
void prepare_first_solve(Job& job, const FactorsState<T>& state) {
    try {
        const bool on_device =
            state.session->has_devices() && (is_simulation || (!job.stopped() && state.device_solve().prepare()));
        if (!job.stopped() && !job.runs_at_once() && !on_device) prepare_system(state);
    } catch (...) {
        job.fail(std::current_exception());
    }
}

/// With other ranks, where state.share says so; an error is that of all.
template <class T>
void run_units(FactorsState<T>& state, UnitFactorization<T>& units, OtherRanks<T>* others, PivotReport& pivots) {
    units.submit();
    units.end_loading();
    prepare_first_solve(units.job(), state);
    units.finish();
    std::exception_ptr error;
    try {
        units.job().wait();
        const HostSpan collecting("collect pivots");
        units.collect(state.report, pivots);
    } catch (...) {
        error = std::current_exception();
    }
    if (others != nullptr) return others->end_factorization(state, error, pivots);
    if (error != nullptr) std::rethrow_exception(error);
}

void set_progress(Job& job, const FactorOptions& options, double total_flops) {
    if (!options.progress) return;
    const auto start = std::chrono::steady_clock::now();
    job.set_progress([&options, total_flops, start](double done) {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        options.progress({std::min(done, total_flops), total_flops, elapsed.count()});
    });
}

void report_moved(const MovedBytes& moved, FactorReport& report) {
    report.place.bytes_to_devices = moved.to_devices;
    report.place.bytes_from_devices = moved.from_devices;
}

template <class T>
double total_flops(const FactorsState<T>& state) {
    return state.analysis->cost.flops * (is_complex<T> ? 4 : 1);
}

/// Of this rank's units and parts of units.
template <class T>
double own_flops(const FactorsState<T>& state) {
    if (state.share == nullptr) return total_flops(state);
    const Analysis& analysis = *state.analysis;
    const std::vector<RankPrediction> ranks =
        predict_ranks(analysis.tree, analysis.cost.front_flops, state.share->mapping, state.share->rule);
    return ranks[at(state.share->rank())].flops * (is_complex<T> ? 4 : 1);
}

/// items: entries; rows: fronts.
TaskWork host_work(const Analysis& analysis) {
    TaskWork work;
    work.items = static_cast<double>(analysis.entry_map.row.size());
    work.rows = static_cast<double>(analysis.tree.fronts.size());
    return work;
}

template <class T>
DenseSource<T> dense_source(const FactorsState<T>& state) {
    const Scaling& scaling = *state.scaling;
    const bool scaled = !scaling.row.empty();
    return {*state.dense, scaled ? scaling.row.data() : nullptr, scaled ? scaling.column.data() : nullptr};
}

template <class T>
void use_dense(const FactorsState<T>& state, const DenseSource<T>& dense, RowSelection& rows,
               FactorizationContext<T>& context) {
    if (state.dense_ranks == nullptr) context.dense = &dense;
    if (state.selects_rows) {
        rows.of_panel.resize(at(state.analysis->mapping.grids.front().own_tiles));
        context.rows = &rows;
    } else if (state.kind() == Factorization::lu) {
        context.most_failed = std::max(state.analysis->order / failed_share, least_failed);
    }
}

/// Where several ranks have A.
template <class T>
std::unique_ptr<DenseLoading<T>> dense_loading(const FactorsState<T>& state) {
    if (state.dense_ranks == nullptr || state.analysis->mapping.grids.empty()) return nullptr;
    return state.dense_ranks->loading(state.analysis->mapping.grids.front(), state.kind(), *state.scaling,
                                      state.share.get());
}

/// All that can be seen before the work is refused there. Returns the bytes held at the end.
template <class T>
count_t factor_by_tasks(FactorsState<T>& state, const PeakPrediction& predicted, Runner runner,
                        const FactorOptions& options, PivotReport& pivots, HostWork& start,
                        std::optional<HostWork>& finish) {
    HostSpan span("prepare tasks");
    const Analysis& analysis = *state.analysis;
    const bool with_devices = runner == Runner::cores_and_devices;
    ScaledEntries<T> entries;
    DenseSource<T> dense;
    RowSelection rows;
    if (state.dense) {  // largest_entry is known
        dense = dense_source(state);
    } else {
        entries = scale_entries(*state.matrix, analysis, *state.scaling, parallel_for_on(*state.session),
                                state.kept_scaling.get());
        state.largest_entry = entries.largest;
    }
    OtherRanks<T>* const others = state.share != nullptr ? OtherRanks<T>::of_this_thread() : nullptr;
    typename UnitFactorization<T>::Input input;
    input.entries = entries.data();
    input.rule = pivot_rule<T>(options, state);
    input.memory_budget_bytes = options.memory_budget_bytes;
    input.cancel = options.cancel;
    input.runner = runner;
    if (others != nullptr) input.failing_unit = others->failing_unit();
    if constexpr (is_simulation) input.replay = begin_replayed_run();
    UnitFactorization<T> units(state, predicted, input);
    if (state.dense) use_dense(state, dense, rows, units.context());
    const auto loading = dense_loading(state);
    units.context().loading = loading.get();
    if (options.progress) set_progress(units.job(), options, own_flops(state));
    if (with_devices) take_moved_bytes(*state.session);
    std::optional<JobWatch<OtherRanks<T>>> watch;
    if (others != nullptr) {
        others->begin_factorization(state, entries.data(),
                                    {input.rule, state.largest_entry, options.cancel != nullptr});
        watch.emplace(*others, units.job(), state.share->number);
    }
    start.end();
    span.end();
    run_units(state, units, others, pivots);
    finish.emplace("finish", host_work(analysis));
    if (with_devices) report_moved(take_moved_bytes(*state.session), state.report);
    if (input.replay != nullptr) {
        pivots.delayed = input.replay->delayed;
        state.report.pivots.second_pass = input.replay->second_pass;
    }
    if (state.selects_rows) state.exchanged_rows = rows.applied(analysis.row_order);
    return units.held_bytes();
}

/// held_bytes: with what the factorization only needed while it ran.
template <class T>
void leave_rest_to_solves(FactorsState<T>& state, const PeakPrediction& predicted, count_t budget, count_t held_bytes) {
    state.solve_bytes.emplace(*state.analysis, state.session->cpu_workers());
    const count_t lasting = held_bytes - (predicted.fixed_bytes - predicted.lasting_bytes);
    state.solve_bound_bytes = budget > 0 ? std::max<count_t>(budget - lasting, 1) : 0;
}

/// StarPU cannot evict what is kept there beside its data.
void give_devices_to_tasks(SessionState& session, std::optional<HoldPause>& pause) {
    pause.emplace(session);
    session.forget_spare_solves();
    session.forget_workspaces();
    session.forget_parts();
}

}  // namespace

template <class T>
void run_factorization(FactorsState<T>& state, const FactorOptions& options) {
    if constexpr (is_simulation)
        if (simulated_cluster().ranks > 0 && SimulatedTime::running() == nullptr)
            return run_on_simulated_ranks(state, options);
    const auto begin = RunClock::now();
    HostWork start("start", host_work(*state.analysis));
    if (OtherRanks<T>* const others = OtherRanks<T>::of_this_thread(); others != nullptr)
        state.share = others->share(state);
    const bool is_callers = state.share == nullptr && is_for_caller(*state.analysis, total_flops(state));
    // Beside a device it is found out below whether that does the work.
    const JobGuard guard(*state.session,
                         is_callers && !state.session->has_devices() ? Workers::resting : Workers::awake);
    PeakPrediction predicted = predict_peak<T>(*state.analysis, state.session->cpu_workers(), state.share.get());
    const auto rule = [&options, &state] { return pivot_rule<T>(options, state); };
    if (options.memory_budget_bytes != 0)  // before any work
        static_cast<void>(memory_limit(predicted, budget_bytes(options.memory_budget_bytes), true, false));
    PivotReport pivots;
    count_t held_bytes = predicted.fixed_bytes;
    std::optional<HostWork> finish;
    const DeviceOutcome outcome =
        state.share != nullptr ? DeviceOutcome::cores : factor_on_device<T>(state, predicted, rule, options, pivots);
    if (outcome == DeviceOutcome::done) {
        if (has_replayed_run())
            throw RuntimeError("recorded pivots are those of tasks, and cards factor the whole tree here");
        start.change("card rest", sizes_of_system(state));
        state.report.work.flops = total_flops(state);
        state.report.memory.peak_bytes_predicted = state.report.memory.peak_bytes;
        held_bytes += state.parts.bytes_on_host() + FactorParts::bytes_beside(state.parts.places());
    } else {
        state.session->expect_running();  // the device may be lost
        state.session->pinned_heap().trim();
        const bool with_devices =
            state.session->has_devices() && outcome == DeviceOutcome::tasks && !state.selects_rows;
        std::optional<HoldPause> pause;
        if (with_devices) give_devices_to_tasks(*state.session, pause);
        const Runner runner = with_devices ? Runner::cores_and_devices : is_callers ? Runner::caller : Runner::cores;
        held_bytes = factor_by_tasks(state, predicted, runner, options, pivots, start, finish);
    }
    const HostSpan span("report");
    state.report.memory.factor_bytes =
        predicted.factor_bytes + (state.remote_pivots != nullptr ? state.remote_pivots->factor_bytes : 0);
    leave_rest_to_solves(state, predicted, options.memory_budget_bytes, held_bytes);
    fill_report(state, pivots, rule());
    if (are_pivots_recorded() && outcome != DeviceOutcome::done && state.share == nullptr)
        add_recorded_run(recorded_run(state));
    if (finish) finish->end();
    const std::chrono::duration<double> elapsed = RunClock::now() - begin;
    state.report.seconds = elapsed.count();
    state.may_be_stored = true;
}

#define FROND_INSTANTIATE(T) template void run_factorization<T>(FactorsState<T>&, const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
