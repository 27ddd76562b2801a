// SPDX-License-Identifier: BSD-3-Clause
// Collective solves where refinement in row blocks is not enough, and bounds of their errors: what rank 0 does with all
// columns and the substitutions of all ranks.
#include <algorithm>
#include <utility>

#include "factors/state_of.hpp"
#include "frond/base/instantiate.hpp"
#include "ranked/columns_view.hpp"
#include "ranked/ranked_solver.hpp"
#include "ranked/report_fields.hpp"
#include "solve/solve_parts.hpp"
#include "substitution/host_columns.hpp"

namespace frond::detail {
namespace {

template <class T>
void summarize(SolveReport& report, const SolveOptions& options) {
    report.backward_error = report.componentwise_backward_error = 0;
    for (const double e : report.backward_errors) report.backward_error = std::max(report.backward_error, e);
    for (const double e : report.componentwise_backward_errors)
        report.componentwise_backward_error = std::max(report.componentwise_backward_error, e);
    const bool accepted = report.componentwise_backward_error <= accepted_backward_error<T>(options);
    report.status = accepted ? SolveStatus::converged : SolveStatus::not_converged;
}

}  // namespace

template <class T>
bool RankedSolver<T>::may_improve(const SolveReport& report, const SolveOptions& options, Escalation escalation) const {
    const bool escalates = escalation == Escalation::allowed && options.max_refinement_steps > 0 &&
                           factor_report_.pivoting == Pivoting::static_pivots;
    return report.status == SolveStatus::not_converged && (options.krylov == Krylov::automatic || escalates);
}

/// GMRES and threshold pivoting are rank 0's: its solver does all that it can, and per column the better X stays.
template <class T>
void RankedSolver<T>::improve_on_rank_0(DenseView<const T> b, DenseView<T> x, const SolveOptions& options,
                                        Escalation escalation, SolveReport& report) {
    const RowCuts& cuts = a_.plan->pattern()->cuts;
    std::vector<T> memory, block;
    collectively(*ranks_, [&] {
        block.resize(static_cast<std::size_t>(x.rows) * static_cast<std::size_t>(x.cols));
        if (ranks_->rank() == 0)
            memory.resize(static_cast<std::size_t>(cuts.order()) * static_cast<std::size_t>(x.cols));
    });
    const DenseView<T> whole = columns_view(memory, cuts.order(), x.cols), better = columns_view(block, x.rows, x.cols);
    gather_rows<T>(*ranks_, cuts, b, whole);
    SolveReport by_rank_0;
    const auto solve = [&](const std::atomic<bool>* stop) {
        SolveOptions alone = options;
        alone.cancel = stop;
        alone.forward_error = alone.condition_hint = false;
        alone.stream = nullptr;
        // Products with inverted blocks are less accurate than substitution.
        if (report.on_device && options.place == SolvePlace::automatic) alone.place = SolvePlace::host;
        const BlockView<const T> from{whole.data, whole.rows, whole.cols, whole.ld};
        const BlockView<T> to{whole.data, whole.rows, whole.cols, whole.ld};
        by_rank_0 = escalation == Escalation::allowed ? whole_.solve(from, to, alone)
                                                      : std::as_const(whole_).solve(from, to, alone);
        if (by_rank_0.escalated) factor_report_ = whole_.factors().report();
    };
    try {
        tree_.conduct(options.cancel, solve);
    } catch (...) {
        restore_lost_factors();
        throw;
    }
    share(*ranks_, by_rank_0);
    if (by_rank_0.escalated) {
        share(*ranks_, factor_report_);
        factor_options_.pivoting = Pivoting::threshold;  // how they are made again
        systems_ = {};  // their scaling
    } else {
        restore_lost_factors();
    }
    scatter_rows<T>(*ranks_, cuts, whole, better);
    RefinementOptions measuring = refinement_options<T>(options);
    measuring.max_steps = 0;
    measuring.cancel = nullptr;
    const RefinementReport errors = refine<T>(
        system(options.operation), b, [](DenseView<T>) {}, better, measuring);
    for (index_t j = 0; j < x.cols; ++j) {
        const auto at = static_cast<std::size_t>(j);
        if (!(errors.componentwise[at] < report.componentwise_backward_errors[at])) continue;
        report.backward_errors[at] = errors.normwise[at];
        report.componentwise_backward_errors[at] = errors.componentwise[at];
        std::copy_n(better.column(j), x.rows, x.column(j));
    }
    report.krylov_iterations = by_rank_0.krylov_iterations;
    report.escalated = by_rank_0.escalated;
    report.short_of_memory = report.short_of_memory || by_rank_0.short_of_memory;
    summarize<T>(report, options);
}

template <class T>
void RankedSolver<T>::bound_errors(DenseView<const T> b, DenseView<const T> x, const SolveOptions& options,
                                   SolveReport& report) {
    const RowCuts& cuts = a_.plan->pattern()->cuts;
    std::vector<T> b_memory, x_memory;
    collectively(*ranks_, [&] {
        if (ranks_->rank() != 0) return;
        b_memory.resize(static_cast<std::size_t>(cuts.order()) * static_cast<std::size_t>(x.cols));
        x_memory.resize(b_memory.size());
    });
    const DenseView<T> whole_b = columns_view(b_memory, cuts.order(), x.cols);
    const DenseView<T> whole_x = columns_view(x_memory, cuts.order(), x.cols);
    gather_rows<T>(*ranks_, cuts, b, whole_b);
    gather_rows<T>(*ranks_, cuts, x, whole_x);
    tree_.conduct(options.cancel, [&](const std::atomic<bool>* stop) {
        SolveOptions with_stop = options;
        with_stop.cancel = stop;
        const FactorsState<T>& state = *state_of(whole_.factors());
        const JobGuard guard(*state.session);
        if (!bound_forward_errors<T>(state, whole_b, whole_x, with_stop, report)) report.short_of_memory = true;
    });
}

#define FROND_INSTANTIATE(T)                                                                                 \
    template bool RankedSolver<T>::may_improve(const SolveReport&, const SolveOptions&, Escalation) const;   \
    template void RankedSolver<T>::improve_on_rank_0(DenseView<const T>, DenseView<T>, const SolveOptions&,  \
                                                     Escalation, SolveReport&);                              \
    template void RankedSolver<T>::bound_errors(DenseView<const T>, DenseView<const T>, const SolveOptions&, \
                                                SolveReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
