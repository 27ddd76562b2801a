// SPDX-License-Identifier: BSD-3-Clause
#include "submit/factor_by_tasks.hpp"

#include <algorithm>
#include <chrono>

#include "factors/other_ranks.hpp"
#include "factors/recorded_run.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "session/callers_function.hpp"
#include "frond/codelets/time_models.hpp"
#include "session/moved_bytes.hpp"
#include "session/parallel_for.hpp"
#include "substitution/device_solve.hpp"
#include "submit/branches/branch_factorization.hpp"
#include "submit/factorization_work.hpp"
#include "submit/matrix_source.hpp"
#include "submit/pivot_rule.hpp"

namespace frond::detail {
namespace {

template <class T>
void prepare_system(const FactorsState<T>& state) {
    const WorkBesideTasks work("system", sizes_of_system(state));
    const HostSpan span("system by rows");
    if (simulates()) return;
    if (!state.system.is_of_ranks()) state.system.linear_system(Operation::none);  // else the ranks work
}

/// Prepares the first solve during the last tasks. The others of the factorization's job do not wait for it.
template <class T>
void prepare_first_solve(Job& job, const FactorsState<T>& state) {
    try {
        const bool on_device = state.factors.ownership.is_alone() && state.session->has_devices() &&
                               (simulates() || (!job.stopped() && state.device_solve().prepare()));
        if (!job.stopped() && !job.runs_at_once() && !on_device) prepare_system(state);
    } catch (...) {
        job.fail(std::current_exception());
    }
}

/// Runs the units, with other ranks if state.factors.ownership.share says so; then an error is that of all.
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
        const CallersFunction in_progress;
        options.progress({std::min(done, total_flops), total_flops, elapsed.count()});
    });
}

void report_moved(const MovedBytes& moved, FactorReport& report) {
    report.place.bytes_to_devices = moved.to_devices;
    report.place.bytes_from_devices = moved.from_devices;
}

/// The operations of this rank's units and parts of units.
template <class T>
double own_flops(const FactorsState<T>& state) {
    if (state.factors.ownership.is_alone()) return total_flops(state);
    const Analysis& analysis = *state.analysis;
    const std::vector<RankPrediction> ranks =
        predict_ranks(analysis.tree, analysis.cost.front_flops, state.factors.ownership.share->mapping,
                      state.factors.ownership.share->rule);
    return ranks[at(state.factors.ownership.share->rank())].flops * (is_complex<T> ? 4 : 1);
}

template <class T>
typename UnitFactorization<T>::Input input_of(const FactorsState<T>& state, T* entries, Runner runner,
                                              const FactorOptions& options, const OtherRanks<T>* others) {
    typename UnitFactorization<T>::Input input;
    input.entries = entries;
    input.rule = pivot_rule<T>(options, state);
    input.memory_budget_bytes = options.memory_budget_bytes;
    input.cancel = options.cancel;
    input.runner = runner;
    if (others != nullptr) input.failing_unit = others->failing_unit();
    if (simulates()) input.replay = begin_replayed_run();
    return input;
}

/// What the tasks of a simulation do not find out.
void report_replayed(const RecordedRun& run, FactorReport& report, PivotReport& pivots) {
    pivots.delayed = run.delayed;
    report.pivots.second_pass = run.second_pass;
}

template <class T>
void keep_exchanged_rows(FactorsState<T>& state, const RowSelection& rows) {
    if (state.factors.selects_rows != SelectsRows::no)
        state.factors.exchanged_rows = rows.applied(state.analysis->row_order);
}

}  // namespace

template <class T>
count_t factor_by_tasks(FactorsState<T>& state, const PeakPrediction& predicted, Runner runner,
                        const FactorOptions& options, PivotReport& pivots, HostWork& start,
                        std::optional<HostWork>& finish) {
    HostSpan span("prepare tasks");
    const bool with_devices = runner == Runner::cores_and_devices;
    MatrixSource<T> source(state);
    OtherRanks<T>* const others = !state.factors.ownership.is_alone() ? OtherRanks<T>::of_this_thread() : nullptr;
    typename UnitFactorization<T>::Input input = input_of(state, source.entries(), runner, options, others);
    std::optional<BranchFactorization<T>> branches;
    if (others != nullptr && state.session->has_devices()) {
        branches.emplace(state, input, options.place);
        input.made = &*branches;
    }
    RowSelection rows;
    std::optional<UnitFactorization<T>> units;
    const auto make_units = [&] {
        units.emplace(state, predicted, input);
        source.give_to(units->context());
        use_row_selection(state, rows, units->context());
        if (options.progress) set_progress(units->job(), options, own_flops(state));
    };
    if (with_devices) take_moved_bytes(*state.session);
    std::optional<JobWatch<OtherRanks<T>>> watch;
    if (others != nullptr) {
        const bool may_cancel = options.cancel != nullptr;
        others->begin_factorization(state, source.entries(),
                                    {input.rule, state.system.largest_entry, may_cancel, options.place}, make_units);
        watch.emplace(*others, units->job(), state.factors.ownership.share->number);
    } else {
        make_units();
    }
    start.end();
    span.end();
    run_units(state, *units, others, pivots);
    finish.emplace("finish", host_work(*state.analysis));
    if (with_devices) report_moved(take_moved_bytes(*state.session), state.report);
    if (input.replay != nullptr) report_replayed(*input.replay, state.report, pivots);
    keep_exchanged_rows(state, rows);
    return units->held_bytes();
}

#define FROND_INSTANTIATE(T)                                                                                   \
    template count_t factor_by_tasks<T>(FactorsState<T>&, const PeakPrediction&, Runner, const FactorOptions&, \
                                        PivotReport&, HostWork&, std::optional<HostWork>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
