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
#include "submit/submit_front.hpp"

namespace frond::detail {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

template <class T>
PivotRule pivot_rule(const FactorOptions& options, Factorization kind, double largest_entry) {
    const bool raise = options.pivoting == Pivoting::static_pivots ||
                       (options.pivoting == Pivoting::automatic && kind != Factorization::llt);
    const double eps = std::numeric_limits<real_t<T>>::epsilon();
    const double tolerance =
        options.static_pivot_tolerance > 0 ? options.static_pivot_tolerance : std::sqrt(eps);
    const double size = largest_entry > 0 ? largest_entry : 1;  // even of the zero matrix
    PivotRule rule;
    rule.smallest_pivot = raise ? tolerance * size : 0;
    rule.zero_pivot = eps * size;
    return rule;
}

/// Submits one unit after the other in postorder and keeps what their tasks need until all have ended.
template <class T>
class Walk {
public:
    Walk(FactorizationContext<T>& context, const Analysis& analysis)
        : context_(context), analysis_(analysis), runs_(analysis.tree.fronts.size()) {}

    void submit_all() {
        const AssemblyTree& tree = analysis_.tree;
        for (index_t f = 0; f < tree.front_count() && !context_.job->stopped(); ++f) {
            const index_t s = analysis_.mapping.subtree_of_front[at(f)];
            if (s >= 0 && analysis_.mapping.subtrees[at(s)].root_front != f) continue;
            if (!submit_unit(f, s)) return;
        }
    }

    void collect(FactorReport& report, PivotReport& pivots) const {
        report.front_seconds.assign(runs_.size(), 0.0);
        for (std::size_t f = 0; f < runs_.size(); ++f) {
            if (!runs_[f]) continue;
            report.front_seconds[f] = runs_[f]->seconds.load();
            const index_t first = analysis_.tree.fronts[f].first_column;
            for (std::size_t k = 0; k < runs_[f]->reports.size(); ++k) {
                PivotReport part = runs_[f]->reports[k];
                // Subtrees report global columns already.
                if (runs_[f]->tiled != nullptr && part.failed_column >= 0)
                    part.failed_column += first + runs_[f]->tiled->grid().cut[k];
                pivots += part;
            }
        }
    }

private:
    bool submit_unit(index_t f, index_t subtree) {
        runs_[at(f)] = std::make_unique<FrontRun<T>>();
        FrontRun<T>& run = *runs_[at(f)];
        run.front = f;
        run.budget = context_.budget;
        run.bytes = subtree >= 0 ? subtree_bytes<T>(analysis_, analysis_.mapping.subtrees[at(subtree)])
                                 : front_bytes<T>(analysis_, f);
        if (!context_.budget->reserve(run.bytes.factors + run.bytes.contribution + run.bytes.temporary,
                                      *context_.job))
            return false;
        if (subtree >= 0) {
            submit_subtree(context_, run, subtree);
            return true;
        }
        const AssemblyTree& tree = analysis_.tree;
        for (count_t c = tree.child_begin[at(f)]; c < tree.child_begin[at(f) + 1]; ++c)
            run.children.push_back(runs_[at(tree.children[at(c)])].get());
        submit_front(context_, run);
        return true;
    }

    FactorizationContext<T>& context_;
    const Analysis& analysis_;
    std::vector<std::unique_ptr<FrontRun<T>>> runs_;
};

template <class T>
void submit_and_wait(Walk<T>& walk, Job& job) {
    try {
        walk.submit_all();
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
        options.progress({done, total_flops, elapsed.count()});
    });
}

template <class T>
void fill_report(FactorsState<T>& state, const PivotReport& pivots, const PivotRule& rule) {
    FactorReport& report = state.report;
    report.factorization = state.kind();
    report.factor_entries = state.analysis->cost.factor_entries;
    report.perturbed = pivots.perturbed;
    report.two_by_two = pivots.two_by_two;
    report.static_pivot = rule.smallest_pivot;
    report.subtree_tasks = static_cast<count_t>(state.subtrees.size());
    if (pivots.failed_column >= 0) {
        report.status = FactorStatus::not_positive_definite;
        report.failed_column = state.analysis->column_order[at(pivots.failed_column)];
        return;
    }
    if (pivots.perturbed + pivots.zero > 0) {
        report.status = FactorStatus::perturbed;
        report.small_pivots = small_pivot_columns(state, rule);
    }
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
    const PeakPrediction predicted = predict_peak<T>(analysis, state.session->cpu_workers());
    MemoryBudget budget(memory_limit(predicted, options.memory_budget_bytes));
    budget.add(predicted.fixed_bytes);

    const ScaledEntries<T> entries =
        scale_entries(state.matrix, analysis, state.scaling, parallel_for_on(*state.session));
    WorkspacePool workspaces(workspace_bytes<T>(analysis));
    Job job(options.cancel);
    FactorizationContext<T> context;
    context.job = &job;
    context.state = &state;
    context.entries = entries.data();
    context.rule = pivot_rule<T>(options, analysis.factorization, entries.largest);
    context.budget = &budget;
    context.workspaces = &workspaces;
    for (const double b : analysis.mapping.bottom_level_flops)
        context.longest_path_flops = std::max(context.longest_path_flops, b);
    set_progress(job, options, analysis.cost.flops * (is_complex<T> ? 4 : 1));

    state.subtrees.resize(analysis.mapping.subtrees.size());
    state.tiled.resize(analysis.mapping.grids.size());
    Walk<T> walk(context, analysis);
    submit_and_wait(walk, job);

    PivotReport pivots;
    walk.collect(state.report, pivots);
    fill_report(state, pivots, context.rule);
    state.report.flops = job.done_flops();
    state.report.tasks = job.submitted();
    state.report.factor_bytes = predicted.factor_bytes;
    state.report.peak_bytes = budget.peak_bytes();
    state.report.peak_bytes_predicted = budget.limit_bytes();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    state.report.seconds = elapsed.count();
}

#define FROND_INSTANTIATE(T) template void run_factorization<T>(FactorsState<T>&, const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
