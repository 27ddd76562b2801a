// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>
#include <new>

#include "factors/state_of.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "memory/predict_solve.hpp"
#include "session/parallel_for.hpp"
#include "session/trace_span.hpp"
#include "solve/block_views.hpp"
#include "solve/solve_parts.hpp"
#include "solve/solve_bound.hpp"

namespace frond {
namespace {

/// @throws MemoryBudgetExceeded  where the budget of this solve is too small; what a factorization's leaves is
///         enough, but for columns that pivoting set back, and free memory is only an estimate
template <class T>
detail::SolveShape shape_of(const detail::FactorsState<T>& state, index_t rhs, bool copies_b,
                            const SolveOptions& options) {
    const detail::SolveBytes<T>& bytes = *state.solve_bytes;
    detail::SolveShape shape = detail::wanted_shape(rhs, options);
    shape.copies_b = copies_b;
    if (options.memory_budget_bytes > 0) return bytes.fitted(shape, options.memory_budget_bytes);
    detail::SolveShape without_gmres = shape;
    without_gmres.gmres_restart = 0;
    if (state.solve_bound_bytes == 0 && bytes.of(without_gmres) <= detail::too_small_to_ask) {
        shape.gmres_asks = bytes.of(shape) > detail::too_small_to_ask;
        return shape;
    }
    const count_t left = detail::solve_bound(state, 0, bytes.of(shape));
    return bytes.fitted(shape, std::max(left, bytes.least(shape)));
}

/// X in elimination order, which stays until the end of a solve.
template <class T>
count_t bytes_in_elimination_order(const SolveReport& report, index_t order) {
    return static_cast<count_t>(report.columns_at_once) * order * static_cast<count_t>(sizeof(T));
}

}  // namespace

template <class T>
SolveReport solve(const Factors<T>& factors, BlockView<const T> b_view, BlockView<T> x_view,
                  const SolveOptions& options) try {
    const auto start = std::chrono::steady_clock::now();
    const FactorReport& facts = factors.report();
    detail::FactorsState<T>& state = *detail::state_of(factors);
    expect_solve(facts, b_view.cols, x_view.cols, options);
    const auto b = checked_view<T>(b_view, state.analysis->order, "B");
    const auto x = checked_view<T>(x_view, state.analysis->order, "X");
    SolveReport report;
    report.rhs = b.cols;
    state.session->expect_running();
    detail::FactorSolve<T> inverse(state, options);
    const bool in_place = b.data == x.data && b.ld == x.ld && !state.session->has_devices();
    const detail::TraceSpan span("solve");
    const detail::SolveShape shape = shape_of(state, b.cols, in_place && options.part == SolvePart::all, options);
    const bool alone = inverse.works_alone(std::min(shape.columns, b.cols));
    const detail::JobGuard guard(*state.session, alone ? detail::Workers::resting : detail::Workers::awake);
    detail::CallersBlocks<T> blocks(*state.session, b, x, options.stream,
                                    detail::CallersBlocks<T>::SameMemory::callers_care);
    if (blocks.b_place() == gpu::MemoryPlace::host)
        expect_finite(blocks.b(), detail::parallel_for_on(*state.session, "check"));
    const bool solved = detail::solve_on_device(state, blocks, options, inverse, report);
    if (!solved) detail::solve_on_host(state, blocks, options, shape, inverse, report);
    report.on_device = solved || inverse.on_device();
    if (!report.on_device) report.place_reason = detail::place_reason(state, options, inverse);
    if (!solved) {
        report.memory_bytes = state.solve_bytes->of(shape);
        report.columns_at_once = std::min(shape.columns, b.cols);
    }
    if (options.forward_error && solved &&
        !detail::bound_forward_errors<T>(state, blocks.host_b(), blocks.fetch_x(), options, report))
        report.short_of_memory = true;
    report.substitution_seconds += inverse.seconds();
    if (options.condition_hint && options.part == SolvePart::all)
        detail::hint_at_condition(state, bytes_in_elimination_order<T>(report, b.rows), options, report);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T) \
    template SolveReport solve<T>(const Factors<T>&, BlockView<const T>, BlockView<T>, const SolveOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
