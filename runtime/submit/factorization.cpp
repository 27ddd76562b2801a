// SPDX-License-Identifier: BSD-3-Clause
#include "submit/factorization.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/pivots.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/workspace_pool.hpp"
#include "memory/memory_budget.hpp"
#include "memory/memory_limit.hpp"
#include "memory/predict_peak.hpp"
#include "session/parallel_for.hpp"
#include "submit/scaled_entries.hpp"
#include "submit/submit_units.hpp"

namespace frond::detail {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

/// Largest null pivot in units of eps ||scaled A||.
constexpr double null_pivot_in_eps = 1e4;
constexpr double default_pivot_threshold = 0.01;

template <class T>
PivotRule pivot_rule(const FactorOptions& options, const FactorsState<T>& state) {
    const double eps = std::numeric_limits<real_t<T>>::epsilon();
    const double size = state.largest_entry > 0 ? state.largest_entry : 1;  // even of the zero matrix
    PivotRule rule;
    rule.zero_pivot = eps * size;
    if (state.report.pivoting == Pivoting::threshold) {
        // Rounding leaves this much of a null pivot: the growth of the errors, up to n, is mostly far less.
        rule.zero_pivot = options.null_pivot_tolerance > 0
                              ? options.null_pivot_tolerance * size
                              : rule.zero_pivot * std::min(10.0 * state.analysis->order, null_pivot_in_eps);
        rule.threshold = options.pivot_threshold > 0 ? options.pivot_threshold : default_pivot_threshold;
        rule.smallest_pivot = size;  // stands in for a null pivot until the column is given back
    } else if (state.report.pivoting == Pivoting::static_pivots) {
        rule.smallest_pivot =
            size * (options.static_pivot_tolerance > 0 ? options.static_pivot_tolerance : std::sqrt(eps));
    }
    return rule;
}

template <class T>
void submit_and_wait(UnitSubmission<T>& units, Job& job, const FactorsState<T>& state) {
    try {
        units.submit_all();
        // For the first solve, beside the last tasks:
        if (!job.stopped()) state.system(Operation::none);
        if (!job.stopped() && state.session->has_devices()) state.device_solve().prepare();
    } catch (...) {
        job.fail(std::current_exception());
    }
    job.wait();
}

void set_progress(Job& job, const FactorOptions& options, double total_flops) {
    if (!options.progress) return;
    const auto start = std::chrono::steady_clock::now();
    job.set_progress([&options, total_flops, start](double done) {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        options.progress({std::min(done, total_flops), total_flops, elapsed.count()});
    });
}

/// Entries of `columns` columns of a front: L, and U for LU; the diagonal once.
count_t entries_of(Factorization kind, count_t rows, count_t columns) {
    const count_t lower = rows * columns - columns * (columns - 1) / 2;
    return kind == Factorization::lu ? 2 * lower - columns : lower;
}

/// Entries of the columns that the first pass gave back: identity in the tiles, stored by the second pass.
template <class T>
count_t entries_given_back(const TiledFront<T>& tiled) {
    count_t entries = 0;
    const count_t order = tiled.front().nfront;
    for (index_t k = 0; k < tiled.own_tiles(); ++k) {
        const count_t first = tiled.grid().cut[at(k)] + tiled.kept(k), last = tiled.grid().cut[at(k) + 1];
        entries += entries_of(tiled.kind(), order - first, last - first);
    }
    return entries;
}

/// Entries of the second pass in place of those predicted for its columns; hard fronts have no others.
template <class T>
count_t entries_beside_prediction(const FactorsState<T>& state) {
    count_t entries = 0;
    for (const auto& tiled : state.tiled) entries -= entries_given_back(*tiled);
    for_each_leftover<T>(state, [&](const cpu::Leftover<T>& l) {
        entries += entries_of(state.kind(), l.rows() + l.ncb, l.kept) +
                   static_cast<count_t>(l.own_rows.size() + l.own_columns.size());
    });
    for (const SubtreeFactors<T>& s : state.subtrees)
        for (const auto& hard : s.leftovers.fronts) {
            const Front& front = state.analysis->tree.fronts[at(hard.front)];
            entries -= entries_of(state.kind(), front.nfront, front.npiv);
        }
    return entries;
}

template <class T>
void describe_leftovers(FactorsState<T>& state, count_t null_pivots) {
    FactorReport& report = state.report;
    for_each_leftover<T>(state, [&report](const cpu::Leftover<T>& l) {
        report.second_pass += l.cols();
        report.factor_bytes += l.bytes();
    });
    report.factor_entries += entries_beside_prediction(state);
    if (null_pivots == 0) return;
    report.status = FactorStatus::singular;
    report.small_pivots = null_columns(state);
    report.null_rows = null_rows(state);
}

/// A matching found fewer rows than columns, but rounding left no null pivot: what it left out is named.
void name_unmatched(const Analysis& analysis, FactorReport& report) {
    if (analysis.report.structural_rank == analysis.order) return;
    std::vector<bool> taken(at(analysis.order), false);
    for (index_t j = 0; j < static_cast<index_t>(analysis.matching_row_of_column.size()); ++j) {
        const index_t row = analysis.matching_row_of_column[at(j)];
        if (row >= 0)
            taken[at(row)] = true;
        else
            report.small_pivots.push_back(j);
    }
    for (index_t i = 0; i < analysis.order; ++i)
        if (!taken[at(i)]) report.null_rows.push_back(i);
}

template <class T>
void fill_report(FactorsState<T>& state, const PivotReport& pivots, const PivotRule& rule) {
    FactorReport& report = state.report;
    const bool threshold = rule.threshold > 0;
    report.factorization = state.kind();
    report.factor_entries = state.analysis->cost.factor_entries;
    report.perturbed = pivots.perturbed;
    report.delayed = pivots.delayed;
    report.two_by_two = pivots.two_by_two;
    report.largest_l = pivots.largest_l;
    report.static_pivot = threshold ? 0 : rule.smallest_pivot;
    report.null_pivot = threshold ? rule.zero_pivot : 0;
    report.subtree_tasks = static_cast<count_t>(state.subtrees.size());
    if (pivots.failed_column >= 0) {
        report.status = FactorStatus::not_positive_definite;
        report.failed_column = state.analysis->column_order[at(pivots.failed_column)];
        return;
    }
    if (threshold) {
        describe_leftovers(state, pivots.zero);
    } else if (pivots.perturbed + pivots.zero > 0) {
        report.status = FactorStatus::perturbed;
        report.small_pivots = small_pivot_columns(state, rule);
    }
    if (threshold && report.small_pivots.empty()) name_unmatched(*state.analysis, report);
    const bool all_null = pivots.zero == state.analysis->order && pivots.zero > 0;
    if (all_null || state.analysis->report.structural_rank < state.analysis->order)
        report.status = FactorStatus::singular;
    const bool has_inertia = state.kind() == Factorization::llt || state.kind() == Factorization::ldlh ||
                             (state.kind() == Factorization::ldlt && !is_complex<T>);
    if (has_inertia && pivots.perturbed == 0)
        report.inertia = Inertia{pivots.negative, pivots.zero, pivots.positive};
}

}  // namespace

template <class T>
void run_factorization(FactorsState<T>& state, const FactorOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    const Analysis& analysis = *state.analysis;
    const JobGuard guard(*state.session);
    const HoldPause pause(*state.session);
    const PeakPrediction predicted = predict_peak<T>(analysis, state.session->cpu_workers());
    const count_t most_bytes = budget_bytes(options.memory_budget_bytes);
    const bool delays = state.report.pivoting == Pivoting::threshold;
    MemoryBudget budget(memory_limit(predicted, options.memory_budget_bytes, delays), most_bytes);
    const count_t limit_bytes = budget.limit_bytes();
    budget.add(predicted.fixed_bytes);

    const ScaledEntries<T> entries =
        scale_entries(*state.matrix, analysis, state.scaling, parallel_for_on(*state.session));
    WorkspacePool workspaces(workspace_bytes<T>(analysis));
    Job job(options.cancel);
    if (analysis.options.deterministic && state.session->has_devices()) job.fix_places();
    FactorizationContext<T> context;
    context.job = &job;
    context.state = &state;
    context.entries = entries.data();
    state.largest_entry = entries.largest;
    context.rule = pivot_rule<T>(options, state);
    context.budget = &budget;
    context.workspaces = &workspaces;
    for (const double b : analysis.mapping.bottom_level_flops)
        context.longest_path_flops = std::max(context.longest_path_flops, b);
    set_progress(job, options, analysis.cost.flops * (is_complex<T> ? 4 : 1));

    state.subtrees.resize(analysis.mapping.subtrees.size());
    state.tiled.resize(analysis.mapping.grids.size());
    UnitSubmission<T> units(context, analysis);
    submit_and_wait(units, job, state);

    PivotReport pivots;
    units.collect(state.report, pivots);
    state.report.factor_bytes = predicted.factor_bytes;
    fill_report(state, pivots, context.rule);
    state.report.flops = job.done_flops();
    state.report.tasks = job.submitted();
    state.report.peak_bytes = budget.peak_bytes();
    state.report.peak_bytes_predicted = limit_bytes;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    state.report.seconds = elapsed.count();
}

#define FROND_INSTANTIATE(T) template void run_factorization<T>(FactorsState<T>&, const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
