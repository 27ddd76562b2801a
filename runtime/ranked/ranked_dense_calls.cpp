// SPDX-License-Identifier: BSD-3-Clause
// Collective calls with a dense matrix: rank 0 leads, A stays with the callers.
#include <algorithm>
#include <utility>

#include "factors/state_of.hpp"
#include "frond/base/instantiate.hpp"
#include "ranked/call_clock.hpp"
#include "ranked/call_names.hpp"
#include "ranked/ranked_solver.hpp"
#include "ranked/report_fields.hpp"

namespace frond::detail {
namespace {

/// Vectors go about equally to all ranks while they are sent.
RowCuts equal_rows(index_t order, index_t ranks) {
    const std::vector<count_t> one_a_row(static_cast<std::size_t>(order), 1);
    return equal_cuts(one_a_row, ranks);
}

template <class T>
DenseView<T> whole_view(std::vector<T>& memory, index_t rows, index_t cols) {
    return {memory.data(), rows, cols, std::max<index_t>(rows, 1)};
}

}  // namespace

template <class T>
void RankedSolver<T>::factor_dense(const DenseMatrixView<T>& a, const FactorOptions& options) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, call_of<T>("factor of a dense matrix", factor_values_of(options)));
    forget();
    whole_.analysis_ = nullptr;
    input_report_ = {};
    DensePart<T> part(*ranks_, a);
    collectively(*ranks_, [&] { dense_cuts_ = equal_rows(part.all().order, ranks_->size()); });
    expect_possible(options);
    collectively(*ranks_, [&] { tree_.set_dense(std::move(part)); });
    tree_.set_memory_budget(options.memory_budget_bytes);
    FactorReport report;
    tree_.conduct(options.cancel, [&](const std::atomic<bool>* stop) {
        FactorOptions with_stop = options;
        with_stop.cancel = stop;
        report = whole_.factor(a, with_stop);
    });
    share(*ranks_, report);
    factor_report_ = std::move(report);
    if (ranks_->rank() == 0) analysis_report_ = whole_.analysis()->report;
    share(*ranks_, analysis_report_);
    is_analysed_ = has_factors_ = is_dense_ = true;
}

template <class T>
void RankedSolver<T>::solve_dense(DenseView<const T> b, DenseView<T> x, const SolveOptions& options,
                                  Escalation escalation, SolveReport& report) {
    std::vector<T> memory;
    collectively(*ranks_, [&] {
        if (ranks_->rank() == 0)
            memory.resize(static_cast<std::size_t>(cuts().order()) * static_cast<std::size_t>(x.cols));
    });
    const DenseView<T> whole = whole_view(memory, cuts().order(), x.cols);
    gather_rows<T>(*ranks_, cuts(), b, whole);
    tree_.conduct(options.cancel, [&](const std::atomic<bool>* stop) {
        SolveOptions with_stop = options;
        with_stop.cancel = stop;
        with_stop.stream = nullptr;
        const BlockView<const T> from{whole.data, whole.rows, whole.cols, whole.ld};
        const BlockView<T> to{whole.data, whole.rows, whole.cols, whole.ld};
        report = escalation == Escalation::allowed ? whole_.solve(from, to, with_stop)
                                                   : std::as_const(whole_).solve(from, to, with_stop);
        if (report.escalated) factor_report_ = whole_.factors().report();
    });
    std::vector<count_t> escalated{report.escalated ? 1 : 0};
    ranks_->all_reduce_max(escalated);
    if (escalated[0] != 0) share(*ranks_, factor_report_);
    scatter_rows<T>(*ranks_, cuts(), whole, x);
}

template <class T>
void RankedSolver<T>::multiply_dense(Operation operation, DenseView<const T> x, DenseView<T> y) {
    std::vector<T> x_memory, y_memory;
    collectively(*ranks_, [&] {
        if (ranks_->rank() != 0) return;
        x_memory.resize(static_cast<std::size_t>(cuts().order()) * static_cast<std::size_t>(x.cols));
        y_memory.resize(x_memory.size());
    });
    const DenseView<T> whole_x = whole_view(x_memory, cuts().order(), x.cols);
    const DenseView<T> whole_y = whole_view(y_memory, cuts().order(), x.cols);
    gather_rows<T>(*ranks_, cuts(), x, whole_x);
    tree_.conduct(nullptr, [&](const std::atomic<bool>*) {
        state_of(whole_.factors())->system.applied(operation)->multiply(whole_x, whole_y);
    });
    scatter_rows<T>(*ranks_, cuts(), whole_y, y);
}

#define FROND_INSTANTIATE(T)                                                                                      \
    template void RankedSolver<T>::factor_dense(const DenseMatrixView<T>&, const FactorOptions&);                 \
    template void RankedSolver<T>::solve_dense(DenseView<const T>, DenseView<T>, const SolveOptions&, Escalation, \
                                               SolveReport&);                                                     \
    template void RankedSolver<T>::multiply_dense(Operation, DenseView<const T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
