// SPDX-License-Identifier: BSD-3-Clause
// What process 0 does with all rows of vectors, while the others do what it asks of them: solves with dense matrices and
// those for which refinement in row blocks is not enough, products with dense matrices, bounds of errors.
#include <algorithm>
#include <utility>

#include "driver/rank_driver.hpp"
#include "factors/state_of.hpp"
#include "frond/base/instantiate.hpp"
#include "ranked/call_clock.hpp"
#include "ranked/call_names.hpp"
#include "ranked/report_fields.hpp"
#include "solve/solve_parts.hpp"
#include "substitution/host_columns.hpp"

namespace frond::detail {
namespace {

/// Vectors go about equally to all ranks while they are sent.
RowCuts equal_rows(index_t order, index_t ranks) {
    const std::vector<count_t> one_a_row(static_cast<std::size_t>(order), 1);
    return equal_cuts(one_a_row, ranks);
}

}  // namespace

template <class T>
void RankDriver<T>::factor_dense(const DenseMatrixView<T>& a, const FactorOptions& options) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, call_of<T>("factor of a dense matrix", factor_values_of(options)));
    forget_all();
    DensePart<T> part(*ranks_, a);
    collectively(*ranks_, [&] { present_.dense_cuts = equal_rows(part.all().order, ranks_->size()); });
    expect_possible(options);
    collectively(*ranks_, [&] { tree_.set_dense(std::move(part)); });
    have(factored_by_all(options, [&](const FactorOptions& with_stop) { local_.factor_dense(a, with_stop); }), options);
    if (ranks_->rank() == 0) analysis_report_ = local_.analysis()->report;
    share(*ranks_, analysis_report_);
    present_.is_analysed = present_.has_factors = present_.is_dense = true;
}

/// X := op(A)^-1 X, with all that a LocalDriver does for it. The report is on all processes.
template <class T>
SolveReport RankDriver<T>::solve_on_rank_0(const WholeColumns& whole, const SolveOptions& options,
                                           Escalation escalation) {
    SolveReport report;
    tree_.conduct(options.cancel, [&](const std::atomic<bool>* stop) {
        SolveOptions with_stop = options;
        with_stop.cancel = stop;
        with_stop.stream = nullptr;
        const DenseView<T> x = whole.view;
        report = local_.solve({x.data, x.rows, x.cols, x.ld}, {x.data, x.rows, x.cols, x.ld}, with_stop, escalation);
    });
    share(*ranks_, report);
    if (!report.escalated) return report;
    if (ranks_->rank() == 0) factor_report_ = local_.factor_report();
    share(*ranks_, factor_report_);
    factor_options_.pivoting = Pivoting::threshold;  // how they are made again
    systems_ = {};  // their scaling
    return report;
}

template <class T>
void RankDriver<T>::solve_dense(DenseView<const T> b, DenseView<T> x, const SolveOptions& options,
                                Escalation escalation, SolveReport& report) {
    const WholeColumns whole = gathered(b);
    report = solve_on_rank_0(whole, options, escalation);
    scatter_rows<T>(*ranks_, cuts(), whole.view, x);
}

template <class T>
void RankDriver<T>::multiply_dense(Operation operation, DenseView<const T> x, DenseView<T> y) {
    const WholeColumns whole_x = gathered(x), whole_y = whole_columns(y.cols);
    tree_.conduct(nullptr, [&](const std::atomic<bool>*) {
        state_of(local_.factors())->system.applied(operation)->multiply(whole_x.view, whole_y.view);
    });
    scatter_rows<T>(*ranks_, cuts(), whole_y.view, y);
}

/// GMRES and threshold pivoting are process 0's: its driver does all that it can, and per column the better X stays.
template <class T>
void RankDriver<T>::improve_on_rank_0(DenseView<const T> b, DenseView<T> x, const SolveOptions& options,
                                      Escalation escalation, SolveReport& report) {
    HostBlock block;
    collectively(*ranks_, [&] { block = block_of_columns<T>(x.rows, x.cols); });
    const DenseView<T> better = columns_view<T>(block, x.rows, x.cols);
    const WholeColumns whole = gathered(b);
    SolveOptions alone = options;
    alone.forward_error = alone.condition_hint = false;
    // Products with inverted blocks are less accurate than substitution.
    if (report.on_device && options.place == SolvePlace::automatic) alone.place = SolvePlace::host;
    const SolveReport by_rank_0 = solve_on_rank_0(whole, alone, escalation);
    scatter_rows<T>(*ranks_, cuts(), whole.view, better);
    RefinementOptions measuring = refinement_options<T>(options, factor_report_.status);
    measuring.max_steps = 0;
    measuring.cancel = nullptr;
    const RefinementReport errors = refine<T>(
        system(options.operation), b, [](DenseView<T>) {}, better, measuring);
    for (index_t j = 0; j < x.cols; ++j) {
        const auto at = static_cast<std::size_t>(j);
        if (!(errors.componentwise[at] < report.componentwise_backward_errors[at])) continue;
        report.backward_errors[at] = errors.normwise[at];
        report.componentwise_backward_errors[at] = errors.componentwise[at];
        report.pure_componentwise_backward_errors[at] = errors.pure[at];
        std::copy_n(better.column(j), x.rows, x.column(j));
    }
    report.krylov_iterations = by_rank_0.krylov_iterations;
    report.escalated = by_rank_0.escalated;
    report.short_of_memory = report.short_of_memory || by_rank_0.short_of_memory;
    summarize<T>(report, options);
}

template <class T>
void RankDriver<T>::bound_errors(DenseView<const T> b, DenseView<const T> x, const SolveOptions& options,
                                 SolveReport& report) {
    const WholeColumns whole_b = gathered(b), whole_x = gathered(x);
    tree_.conduct(options.cancel, [&](const std::atomic<bool>* stop) {
        SolveOptions with_stop = options;
        with_stop.cancel = stop;
        const FactorsState<T>& state = *state_of(local_.factors());
        const JobGuard guard(*state.session);
        if (!bound_forward_errors<T>(state, whole_b.view, whole_x.view, with_stop, report))
            report.short_of_memory = true;
    });
}

#define FROND_INSTANTIATE(T)                                                                                          \
    template void RankDriver<T>::factor_dense(const DenseMatrixView<T>&, const FactorOptions&);                       \
    template void RankDriver<T>::solve_dense(DenseView<const T>, DenseView<T>, const SolveOptions&, Escalation,       \
                                             SolveReport&);                                                           \
    template void RankDriver<T>::multiply_dense(Operation, DenseView<const T>, DenseView<T>);                         \
    template void RankDriver<T>::improve_on_rank_0(DenseView<const T>, DenseView<T>, const SolveOptions&, Escalation, \
                                                   SolveReport&);                                                     \
    template void RankDriver<T>::bound_errors(DenseView<const T>, DenseView<const T>, const SolveOptions&,            \
                                              SolveReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
