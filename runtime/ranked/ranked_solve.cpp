// SPDX-License-Identifier: BSD-3-Clause
// Collective solves: substitution on rank 0, errors and refinement in row blocks.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "factors/state_of.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "ranked/call_clock.hpp"
#include "ranked/distributed_columns.hpp"
#include "ranked/option_values.hpp"
#include "ranked/ranked_solver.hpp"
#include "ranked/report_fields.hpp"
#include "session/parallel_for.hpp"
#include "solve/callers_blocks.hpp"
#include "solve/condition_of_factors.hpp"
#include "solve/solve_parts.hpp"

namespace frond::detail {
namespace {

/// Right-hand sides that are refined together.
constexpr index_t most_together = 64;

NamedValues solve_values_of(const SolveOptions& options, count_t b_cols, count_t x_cols) {
    Options all;
    all.solve = options;
    NamedValues values = option_values(all, OptionPhase::solve);
    values.insert(values.begin(), {"the call", "Solver::solve"});
    values.emplace_back("the columns of B", std::to_string(b_cols));
    values.emplace_back("the columns of X", std::to_string(x_cols));
    return values;
}

template <class T>
DenseView<T> columns_view(std::vector<T>& memory, index_t rows, index_t cols) {
    return {memory.data(), rows, cols, std::max<index_t>(rows, 1)};
}

/// A solution that overflowed is no start for anything: 0 is.
template <class T>
void clear_overflowed(DenseView<T> x) {
    for (index_t j = 0; j < x.cols; ++j)
        if (!std::all_of(x.column(j), x.column(j) + x.rows, [](T v) { return std::isfinite(std::abs(v)); }))
            std::fill_n(x.column(j), x.rows, T(0));
}

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
SolveReport RankedSolver<T>::solve(BlockView<const T> b_view, BlockView<T> x_view, const SolveOptions& options,
                                   Escalation escalation) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, solve_values_of(options, b_view.cols, x_view.cols));
    expect_factors("solve");
    const JobGuard guard(*state_of(session_), Workers::resting);
    std::optional<CallersBlocks<T>> blocks;
    DenseView<const T> b;
    DenseView<T> x;
    collectively(*ranks_, [&] {
        FROND_EXPECTS(factor_report_.status != FactorStatus::not_positive_definite,
                      "the matrix is not positive definite, so L L^H has no factors; use ldlt or automatic");
        FROND_EXPECTS(!options.forward_error || options.part == SolvePart::all,
                      "forward_error is for whole solves; take part = all");
        FROND_EXPECTS(options.memory_budget_bytes >= 0 && options.max_refinement_steps >= 0,
                      "memory_budget_bytes or max_refinement_steps of a solve is negative; give 0 or more");
        FROND_EXPECTS(b_view.cols == x_view.cols, "B has " + std::to_string(b_view.cols) + " columns, X has " +
                                                      std::to_string(x_view.cols) + "; give both the same number");
        blocks.emplace(*state_of(session_), rank_view<T>(b_view, "B"), rank_view<T>(x_view, "X"), options.stream);
        b = blocks->host_b();
        x = blocks->host_x();
    });
    const RowCuts& cuts = this->cuts();
    const RowPlan b_plan = plan_of_rows(*ranks_, cuts, b.rows, b_view.row_map, RowsGiven::once, "B");
    const RowPlan x_plan = plan_of_rows(*ranks_, cuts, x.rows, x_view.row_map, RowsGiven::any, "X");
    const index_t rows = cuts.rows(ranks_->rank());
    std::vector<T> b_block, x_block;
    collectively(*ranks_, [&] {
        b_block.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(b.cols));
        x_block.resize(b_block.size());
    });
    SolveReport report;
    report.rhs = b.cols;
    b_plan.to_blocks<T>(*ranks_, b, columns_view(b_block, rows, b.cols));
    const DenseView<const T> of_b = columns_view(b_block, rows, b.cols);
    const DenseView<T> of_x = columns_view(x_block, rows, b.cols);
    is_dense_ ? solve_dense(of_b, of_x, options, escalation, report)
              : solve_blocks(of_b, of_x, options, escalation, report);
    x_plan.from_blocks<T>(*ranks_, columns_view(x_block, rows, b.cols), x);
    collectively(*ranks_, [&] { blocks->send_x(); });
    report.seconds = clock.seconds();
    share(*ranks_, report);
    return report;
}

/// Of the rows of this rank's block.
template <class T>
std::vector<double> RankedSolver<T>::scale_of_block(Operation operation) {
    std::vector<double> whole;
    std::vector<count_t> scaled{0};
    collectively(*ranks_, [&] {
        if (ranks_->rank() == 0) whole = state_of(whole_.factors())->solution_scale(operation);
        scaled[0] = whole.empty() ? 0 : 1;
    });
    ranks_->all_reduce_max(scaled);
    if (scaled[0] == 0) return {};
    const RowCuts& cuts = a_.plan->pattern()->cuts;
    std::vector<double> block;
    collectively(*ranks_, [&] { block.resize(static_cast<std::size_t>(cuts.rows(ranks_->rank()))); });
    const index_t rows = cuts.rows(ranks_->rank());
    scatter_rows<double>(*ranks_, cuts, columns_view(whole, cuts.order(), 1), columns_view(block, rows, 1));
    return block;
}

template <class T>
const BlockSystem<T>& RankedSolver<T>::system(Operation operation) {
    std::shared_ptr<const BlockSystem<T>>& known = systems_[static_cast<std::size_t>(operation)];
    if (known == nullptr)
        known = std::make_shared<const BlockSystem<T>>(*ranks_, a_.plan->pattern(), a_.value, operation,
                                                       scale_of_block(operation),
                                                       parallel_for_outside_jobs(*state_of(session_), "residual"));
    return *known;
}

/// X := op(A)^-1 X on rank 0; rows of the blocks.
template <class T>
void RankedSolver<T>::apply_factors(DenseView<T> x, const SolveOptions& options, SolveReport& report) {
    const RowCuts& cuts = a_.plan->pattern()->cuts;
    std::vector<T> memory;
    collectively(*ranks_, [&] {
        if (ranks_->rank() == 0)
            memory.resize(static_cast<std::size_t>(cuts.order()) * static_cast<std::size_t>(x.cols));
    });
    const DenseView<T> whole = columns_view(memory, cuts.order(), x.cols);
    gather_rows<T>(*ranks_, cuts, x, whole);
    tree_.conduct(options.cancel, [&](const std::atomic<bool>* stop) {
        SolveOptions with_stop = options;
        with_stop.cancel = stop;
        const FactorsState<T>& state = *state_of(whole_.factors());
        FactorSolve<T> inverse(state, with_stop);
        const JobGuard guard(*state.session, inverse.works_alone(x.cols) ? Workers::resting : Workers::awake);
        inverse.apply(whole);
        if (options.part == SolvePart::all) clear_overflowed(whole);
        report.substitution_seconds += inverse.seconds();
        report.on_device = report.on_device || inverse.on_device();
        if (!report.on_device) report.place_reason = place_reason(state, options, inverse);
    });
    scatter_rows<T>(*ranks_, cuts, whole, x);
}

/// How many right-hand sides rank 0 has memory for.
template <class T>
index_t RankedSolver<T>::columns_at_once(index_t rhs, const SolveOptions& options, SolveReport& report) {
    std::vector<count_t> columns{0};
    collectively(*ranks_, [&] {
        if (ranks_->rank() != 0) return;
        const SolveBytes<T>& bytes = *state_of(whole_.factors())->solve_bytes;
        SolveShape shape = wanted_shape(rhs, options);
        shape.columns = std::min(shape.columns, most_together);
        if (options.memory_budget_bytes > 0) shape = bytes.fitted(shape, options.memory_budget_bytes);
        report.memory_bytes = bytes.of(shape);
        report.columns_at_once = std::min(shape.columns, rhs);
        columns[0] = shape.columns;
    });
    ranks_->all_reduce_max(columns);
    return std::max<index_t>(1, static_cast<index_t>(columns[0]));
}

template <class T>
void RankedSolver<T>::solve_part(DenseView<T> x, index_t width, const SolveOptions& options, SolveReport& report) {
    for (index_t first = 0; first < x.cols; first += width)
        apply_factors(x.block(0, first, x.rows, std::min(width, x.cols - first)), options, report);
    report.status = SolveStatus::not_measured;
    report.backward_error = report.componentwise_backward_error = std::numeric_limits<double>::quiet_NaN();
}

template <class T>
void RankedSolver<T>::solve_blocks(DenseView<const T> b, DenseView<T> x, const SolveOptions& options,
                                   Escalation escalation, SolveReport& report) {
    for (index_t j = 0; j < b.cols; ++j) std::copy_n(b.column(j), b.rows, x.column(j));
    const index_t width = columns_at_once(b.cols, options, report);
    if (options.part != SolvePart::all) return solve_part(x, width, options, report);
    const auto apply = [&](DenseView<T> v) { apply_factors(v, options, report); };
    DistributedColumns<T> columns(*ranks_, system(options.operation), b, x, width, apply, apply, options.cancel);
    RefinementOptions refinement = refinement_options<T>(options);
    refinement.cancel = nullptr;  // the columns ask all ranks
    fill_report<T>(report, refine(columns, refinement), options);
    if (may_improve(report, options, escalation)) improve_on_rank_0(b, x, options, escalation, report);
    if (options.forward_error) bound_errors(b, x, options, report);
    if (!options.condition_hint) return;
    tree_.conduct(options.cancel, [&](const std::atomic<bool>* stop) {
        const FactorsState<T>& state = *state_of(whole_.factors());
        const JobGuard guard(*state.session);
        try {
            report.condition_hint = condition_hint(state, options.memory_budget_bytes, count_t{0}, stop);
            report.ill_conditioned = report.condition_hint && leaves_no_digit<T>(*report.condition_hint);
        } catch (const std::bad_alloc&) {  // the solution is there: it goes without a hint
        } catch (const OutOfMemory&) {
        } catch (const Cancelled&) {
        }
    });
}

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
    tree_.conduct(options.cancel, [&](const std::atomic<bool>* stop) {
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
    });
    share(*ranks_, by_rank_0);
    if (by_rank_0.escalated) {
        share(*ranks_, factor_report_);
        systems_ = {};  // their scaling
    }
    scatter_rows<T>(*ranks_, cuts, whole, better);
    const auto keep = [](DenseView<T>) {};
    DistributedColumns<T> columns(*ranks_, system(options.operation), b, better, most_together, keep, keep, nullptr);
    RefinementOptions measuring = refinement_options<T>(options);
    measuring.max_steps = 0;
    measuring.cancel = nullptr;
    const RefinementReport errors = refine(columns, measuring);
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

#define FROND_INSTANTIATE(T)                                                                                        \
    template SolveReport RankedSolver<T>::solve(BlockView<const T>, BlockView<T>, const SolveOptions&, Escalation); \
    template const BlockSystem<T>& RankedSolver<T>::system(Operation);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
