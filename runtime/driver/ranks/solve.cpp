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
#include "ranked/option_values.hpp"
#include "driver/rank_driver.hpp"
#include "ranked/report_fields.hpp"
#include "session/parallel_for.hpp"
#include "solve/block_views.hpp"
#include "solve/callers_blocks.hpp"
#include "solve/solve_parts.hpp"
#include "system/rows/row_operator.hpp"
#include "substitution/host_columns.hpp"

namespace frond::detail {
namespace {

NamedValues solve_values_of(const SolveOptions& options, count_t b_cols, count_t x_cols) {
    Options all;
    all.solve = options;
    NamedValues values = option_values(all, OptionPhase::solve);
    values.insert(values.begin(), {"the call", "Solver::solve"});
    values.emplace_back("the columns of B", std::to_string(b_cols));
    values.emplace_back("the columns of X", std::to_string(x_cols));
    return values;
}

/// A solution that overflowed is no start for anything: 0 is.
template <class T>
void clear_overflowed(DenseView<T> x) {
    for (index_t j = 0; j < x.cols; ++j)
        if (!std::all_of(x.column(j), x.column(j) + x.rows, [](T v) { return std::isfinite(std::abs(v)); }))
            std::fill_n(x.column(j), x.rows, T(0));
}

}  // namespace

template <class T>
SolveReport RankDriver<T>::solve(BlockView<const T> b_view, BlockView<T> x_view, const SolveOptions& options,
                                 Escalation escalation) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, solve_values_of(options, b_view.cols, x_view.cols));
    expect_factors("solve");
    const JobGuard guard(*state_of(session_), Workers::resting);
    std::optional<CallersBlocks<T>> blocks;
    DenseView<const T> b;
    DenseView<T> x;
    collectively(*ranks_, [&] {
        expect_solve(factor_report_, b_view.cols, x_view.cols, options);
        blocks.emplace(*state_of(session_), rank_view<T>(b_view, "B"), rank_view<T>(x_view, "X"), options.stream);
        b = blocks->host_b();
        x = blocks->host_x();
    });
    const RowCuts& cuts = this->cuts();
    const RowPlan b_plan = plan_of_rows(*ranks_, cuts, b.rows, b_view.row_map, RowsGiven::once, "B");
    const RowPlan x_plan = plan_of_rows(*ranks_, cuts, x.rows, x_view.row_map, RowsGiven::any, "X");
    const index_t rows = cuts.rows(ranks_->rank());
    HostBlock b_block, x_block;
    collectively(*ranks_, [&] {
        b_block = block_of_columns<T>(rows, b.cols);
        x_block = block_of_columns<T>(rows, b.cols);
    });
    SolveReport report;
    report.rhs = b.cols;
    report.on_device = b.cols > 0;  // until a substitution is not
    b_plan.to_blocks<T>(*ranks_, b, columns_view<T>(b_block, rows, b.cols));
    const DenseView<const T> of_b = columns_view<T>(b_block, rows, b.cols);
    const DenseView<T> of_x = columns_view<T>(x_block, rows, b.cols);
    present_.is_dense ? solve_dense(of_b, of_x, options, escalation, report)
                      : solve_blocks(of_b, of_x, options, escalation, report);
    x_plan.from_blocks<T>(*ranks_, of_x, x);
    collectively(*ranks_, [&] { blocks->send_x(); });
    report.seconds = clock.seconds();
    share(*ranks_, report);
    return report;
}

/// The scales of the rows of this rank's block.
template <class T>
std::vector<double> RankDriver<T>::scale_of_block(Operation operation) {
    std::vector<double> whole;
    std::vector<count_t> scaled{0};
    collectively(*ranks_, [&] {
        if (ranks_->rank() == 0) whole = state_of(local_.factors())->system.solution_scale(operation);
        scaled[0] = whole.empty() ? 0 : 1;
    });
    ranks_->all_reduce_max(scaled);
    if (scaled[0] == 0) return {};
    const RowCuts& cuts = present_.a.plan->pattern()->cuts;
    std::vector<double> block;
    collectively(*ranks_, [&] { block.resize(static_cast<std::size_t>(cuts.rows(ranks_->rank()))); });
    const index_t rows = cuts.rows(ranks_->rank());
    scatter_rows<double>(*ranks_, cuts, columns_view(whole, cuts.order(), 1), columns_view(block, rows, 1));
    return block;
}

template <class T>
typename RankDriver<T>::WholeColumns RankDriver<T>::whole_columns(index_t cols) {
    WholeColumns whole;
    const index_t rows = cuts().order();
    collectively(*ranks_, [&] {
        if (ranks_->rank() == 0) whole.memory = block_of_columns<T>(rows, cols);
    });
    whole.view = columns_view<T>(whole.memory, rows, cols);
    return whole;
}

template <class T>
typename RankDriver<T>::WholeColumns RankDriver<T>::gathered(DenseView<const T> mine) {
    WholeColumns whole = whole_columns(mine.cols);
    gather_rows<T>(*ranks_, cuts(), mine, whole.view);
    return whole;
}

template <class T>
const LinearSystem<T>& RankDriver<T>::system(Operation operation) {
    std::unique_ptr<const LinearSystem<T>>& kept = systems_[static_cast<std::size_t>(operation)];
    if (kept == nullptr) {
        const std::vector<double> scale = scale_of_block(operation);
        kept = std::make_unique<const LinearSystem<T>>(
            std::make_shared<const RowOperator<T>>(*ranks_, present_.a.plan->pattern(), present_.a.value, operation,
                                                   parallel_for_outside_jobs(*state_of(session_), "residual")),
            &scale);
    }
    return *kept;
}

/// X := op(A)^-1 X on rank 0; rows of the blocks.
template <class T>
void RankDriver<T>::apply_factors(DenseView<T> x, const SolveOptions& options, SolveReport& report) {
    const WholeColumns whole = gathered(x);
    tree_.conduct(options.cancel, [&](const std::atomic<bool>* stop) {
        SolveOptions with_stop = options;
        with_stop.cancel = stop;
        const FactorsState<T>& state = *state_of(local_.factors());
        FactorSolve<T> inverse(state, with_stop);
        const JobGuard guard(*state.session, inverse.works_alone(x.cols) ? Workers::resting : Workers::awake);
        inverse.apply(whole.view);
        if (options.part == SolvePart::all) clear_overflowed(whole.view);
        report.substitution_seconds += inverse.seconds();
        if (!report.on_device || inverse.on_device()) return;
        report.on_device = false;
        report.place_reason = place_reason(state, options, inverse);
    });
    scatter_rows<T>(*ranks_, cuts(), whole.view, x);
}

/// How many right-hand sides rank 0 has memory for. b: of the blocks, found to be finite on all ranks.
template <class T>
index_t RankDriver<T>::columns_at_once(DenseView<const T> b, const SolveOptions& options, SolveReport& report) {
    const index_t rhs = b.cols;
    std::vector<count_t> columns{0};
    collectively(*ranks_, [&] {
        expect_finite(b, {}, cuts().begin(ranks_->rank()));
        if (ranks_->rank() != 0) return;
        const SolveBytes<T>& bytes = *state_of(local_.factors())->solve_bytes;
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
void RankDriver<T>::solve_part(DenseView<T> x, index_t width, const SolveOptions& options, SolveReport& report) {
    for (index_t first = 0; first < x.cols; first += width)
        apply_factors(x.block(0, first, x.rows, std::min(width, x.cols - first)), options, report);
    report.status = SolveStatus::not_measured;
    report.backward_error = report.componentwise_backward_error = report.pure_componentwise_backward_error =
        std::numeric_limits<double>::quiet_NaN();
}

template <class T>
void RankDriver<T>::solve_blocks(DenseView<const T> b, DenseView<T> x, const SolveOptions& options,
                                 Escalation escalation, SolveReport& report) {
    for (index_t j = 0; j < b.cols; ++j) std::copy_n(b.column(j), b.rows, x.column(j));
    const index_t width = columns_at_once(b, options, report);
    if (options.part != SolvePart::all) return solve_part(x, width, options, report);
    const ApplyBlock<T> apply = [&](DenseView<T> v) { apply_factors(v, options, report); };
    const LinearSystem<T>& system = this->system(options.operation);
    RefinementReport refined;
    collectively(*ranks_, [&] { refined.reserve(b.cols); });
    for (index_t first = 0; first < x.cols; first += width) {
        const index_t columns = std::min(width, x.cols - first);
        const DenseView<T> some = x.block(0, first, x.rows, columns);
        apply(some);
        refined.append(refine<T>(system, b.block(0, first, b.rows, columns), apply, some,
                                 refinement_options<T>(options, factor_report_.status)));
    }
    fill_report<T>(report, std::move(refined), options);
    const bool is_worth_more = options.krylov == Krylov::automatic || this->may_escalate(options, escalation);
    if (report.status == SolveStatus::not_converged && is_worth_more) {
        improve_on_rank_0(b, x, options, escalation, report);
        if (!rank_0_has_factors()) return;  // for want of memory: the solution is there, and no more
    }
    if (options.forward_error) bound_errors(b, x, options, report);
    if (!options.condition_hint) return;
    tree_.conduct(options.cancel, [&](const std::atomic<bool>* stop) {
        const FactorsState<T>& state = *state_of(local_.factors());
        const JobGuard guard(*state.session);
        SolveOptions with_stop = options;
        with_stop.cancel = stop;
        hint_at_condition(state, 0, with_stop, report);
    });
}

#define FROND_INSTANTIATE(T)                                                                                      \
    template SolveReport RankDriver<T>::solve(BlockView<const T>, BlockView<T>, const SolveOptions&, Escalation); \
    template typename RankDriver<T>::WholeColumns RankDriver<T>::whole_columns(index_t);                          \
    template typename RankDriver<T>::WholeColumns RankDriver<T>::gathered(DenseView<const T>);                    \
    template const LinearSystem<T>& RankDriver<T>::system(Operation);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
