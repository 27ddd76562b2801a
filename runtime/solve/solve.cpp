// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <new>
#include <utility>

#include "factors/state_of.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/host_block.hpp"
#include "frond/base/instantiate.hpp"
#include "memory/free_memory.hpp"
#include "memory/memory_limit.hpp"
#include "memory/predict_solve.hpp"
#include "session/parallel_for.hpp"
#include "solve/gmres.hpp"
#include "solve/block_views.hpp"
#include "solve/forward_error.hpp"
#include "solve/factor_solve_pair.hpp"
#include "solve/refine.hpp"
#include "solve/skeel_condition.hpp"
#include "solve/solve_bound.hpp"
#include "solve/solve_on_device.hpp"

namespace frond {
namespace {

/// Takes the lists over: where no memory is left, X has its report all the same.
template <class T>
void fill_report(SolveReport& report, RefinementReport&& refined, const SolveOptions& options) {
    report.backward_error = report.componentwise_backward_error = 0;
    report.refinement_steps = refined.steps;
    report.krylov_iterations = refined.krylov_iterations;
    report.backward_errors = std::move(refined.normwise);
    report.componentwise_backward_errors = std::move(refined.componentwise);
    report.short_of_memory = refined.ran_out_of_memory;
    for (const double e : report.backward_errors) report.backward_error = std::max(report.backward_error, e);
    for (const double e : report.componentwise_backward_errors)
        report.componentwise_backward_error = std::max(report.componentwise_backward_error, e);
    const bool accepted = report.componentwise_backward_error <= accepted_backward_error<T>(options);
    report.status = accepted ? SolveStatus::converged : SolveStatus::not_converged;
}

template <class T>
bool all_accepted(const RefinementReport& refined, const SolveOptions& options) {
    return std::all_of(refined.componentwise.begin(), refined.componentwise.end(),
                       [&](double e) { return e <= accepted_backward_error<T>(options); });
}

/// A solution that overflowed is no start for anything: 0 is.
template <class T>
void clear_infinite_columns(DenseView<T> x, const ParallelFor& parallel_for) {
    const count_t pieces = row_chunks(x.rows);
    std::vector<char> finite(static_cast<std::size_t>(pieces * x.cols));
    for_row_chunks(parallel_for, x.rows, x.cols, [&](count_t j, count_t begin, count_t end, count_t piece) {
        const T* const column = x.column(static_cast<index_t>(j));
        finite[static_cast<std::size_t>(piece)] =
            std::all_of(column + begin, column + end, [](T v) { return std::isfinite(std::abs(v)); });
    });
    for (index_t j = 0; j < x.cols; ++j)
        if (!std::all_of(finite.begin() + j * pieces, finite.begin() + (j + 1) * pieces, [](char f) { return f != 0; }))
            std::fill_n(x.column(j), x.rows, T(0));
}

/// Few solves come to GMRES: what only its vectors would make too large to start without asking asks here.
template <class T>
index_t gmres_vectors(const detail::FactorsState<T>& state, const detail::SolveShape& shape) {
    if (!shape.gmres_asks) return shape.gmres_restart;
    const detail::SolveBytes<T>& bytes = *state.solve_bytes;
    return bytes.fitted(shape, std::max(detail::budget_bytes(0), bytes.least(shape))).gmres_restart;
}

template <class T>
RefinementReport refine_solution(const detail::FactorsState<T>& state, DenseView<const T> b, DenseView<T> x,
                                 const SolveOptions& options, const detail::SolveShape& shape,
                                 detail::FactorSolve<T>& inverse) {
    const LinearSystem<T>& system = state.system(options.operation);
    const ApplyInverse<T> apply = [&inverse](DenseView<T> v) { inverse.apply(v); };
    RefinementOptions refinement;
    refinement.max_steps = options.max_refinement_steps;
    refinement.target = options.target_backward_error;
    refinement.cancel = options.cancel;
    clear_infinite_columns(x, system.parallel_for());
    RefinementReport refined = refine(system, b, apply, x, refinement);
    if (options.krylov == Krylov::automatic && !all_accepted<T>(refined, options)) {
        const index_t gmres_restart = gmres_vectors(state, shape);
        if (gmres_restart == 0) {
            refined.ran_out_of_memory = true;
            return refined;
        }
        GmresOptions gmres_options;
        gmres_options.restart = gmres_restart;
        gmres_options.target = options.target_backward_error;
        gmres_options.cancel = options.cancel;
        gmres(system, b, apply, x, gmres_options, refined);
    }
    return refined;
}

/// False when it was not done there, or did not converge: then substitution, which does not invert blocks of the
/// factors, or GMRES may do better.
template <class T>
bool solve_and_refine_on_device(const detail::FactorsState<T>& state, const detail::CallersBlocks<T>& blocks,
                                const SolveOptions& options, detail::FactorSolve<T>& inverse, SolveReport& report) {
    if (options.part != SolvePart::all || inverse.conjugated() || !inverse.wants_device()) return false;
    std::optional<RefinementReport> refined;
    try {
        refined = detail::solve_on_device<T>(state, blocks, options, report.substitution_seconds);
    } catch (const DeviceError&) {  // no room, mostly: cores need none
        if (options.place == SolvePlace::device) throw;
        state.device_solve().abandon();
    }
    if (refined) {
        fill_report<T>(report, std::move(*refined), options);
        if (report.status == SolveStatus::converged) return true;
        if (options.krylov == Krylov::off && options.place == SolvePlace::device) return true;
    }
    if (options.place == SolvePlace::automatic) inverse.stay_on_host();
    return false;
}

/// Why a solve of a session with devices was on the cores.
template <class T>
std::string place_reason(const detail::FactorsState<T>& state, const SolveOptions& options) {
    if (!state.session->has_devices()) return "";
    if (options.place == SolvePlace::host) return "place = host";
    const std::string reason = state.device_solve().why_not(options);
    if (!reason.empty()) return reason;
    if (!state.device_solve().pays()) return "cores are expected to be quicker";
    return "the device was taken or full, or the solution did not converge there";
}

/// Appends those of the columns of x.
template <class T>
void append_forward_errors(const detail::FactorsState<T>& state, DenseView<const T> b, DenseView<const T> x,
                           const SolveOptions& options, SolveReport& report) {
    std::vector<double>& errors = report.forward_errors;
    if (state.report.status == FactorStatus::singular) {
        errors.insert(errors.end(), static_cast<std::size_t>(x.cols), std::numeric_limits<double>::infinity());
    } else {
        detail::FactorSolvePair<T> pair(state, options.operation, options.cancel);
        const std::vector<double> bounds =
            forward_error_bounds<T>(state.system(options.operation), entries_of_rows(*state.matrix, options.operation),
                                    b, x, pair.inverse(), pair.adjoint());
        errors.insert(errors.end(), bounds.begin(), bounds.end());
    }
    report.forward_error = 0;
    for (const double e : errors) report.forward_error = std::max(*report.forward_error, e);
}

/// False without memory for them: X is there all the same, and there are no bounds at all.
template <class T>
bool bound_forward_errors(const detail::FactorsState<T>& state, DenseView<const T> b, DenseView<const T> x,
                          const SolveOptions& options, SolveReport& report) {
    const auto give_up = [&report] {
        report.forward_errors.clear();
        report.forward_error.reset();
        return false;
    };
    try {
        append_forward_errors<T>(state, b, x, options, report);
        return true;
    } catch (const std::bad_alloc&) {
        return give_up();
    } catch (const OutOfMemory&) {
        return give_up();
    }
}

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

/// With B and X in the host's memory, wherever the factors are: some columns after the other.
template <class T>
void solve_from_host(const detail::FactorsState<T>& state, detail::CallersBlocks<T>& blocks,
                     const SolveOptions& options, const detail::SolveShape& shape, detail::FactorSolve<T>& inverse,
                     SolveReport& report) {
    const DenseView<const T> b = blocks.host_b();
    const DenseView<T> x = blocks.host_x();
    const ParallelFor parallel_for = detail::parallel_for_on(*state.session);
    HostBlock kept;
    RefinementReport refined;
    bool bounds_errors = options.forward_error;
    for (index_t first = 0; first < x.cols; first += shape.columns) {
        const index_t columns = std::min(shape.columns, x.cols - first);
        DenseView<const T> b1 = b.block(0, first, b.rows, columns);
        const DenseView<T> x1 = x.block(0, first, x.rows, columns);
        if (shape.copies_b) {
            const count_t bytes = static_cast<count_t>(b.rows) * columns * static_cast<count_t>(sizeof(T));
            if (kept.bytes() < bytes) kept = HostBlock(bytes);
            const DenseView<T> copy{static_cast<T*>(kept.data()), b.rows, columns, std::max(b.rows, 1)};
            copy_block<T>(b1, copy, parallel_for);
            b1 = copy;
        } else {
            copy_block<T>(b1, x1, parallel_for);
        }
        inverse.apply(x1);
        if (options.part != SolvePart::all) continue;
        refined.append(refine_solution<T>(state, b1, x1, options, shape, inverse));
        if (bounds_errors) bounds_errors = bound_forward_errors<T>(state, b1, x1, options, report);
    }
    if (options.part == SolvePart::all) {
        fill_report<T>(report, std::move(refined), options);
        if (options.forward_error && !bounds_errors) report.short_of_memory = true;
    } else {
        report.status = SolveStatus::not_measured;
        report.backward_error = report.componentwise_backward_error = std::numeric_limits<double>::quiet_NaN();
    }
    blocks.send_x();
}

/// The solution is there: without memory for a hint, or time, there is none.
template <class T>
void hint_at_condition(const detail::FactorsState<T>& state, count_t held_bytes, const SolveOptions& options,
                       SolveReport& report) try {
    report.condition_hint = detail::condition_hint(state, options.memory_budget_bytes, held_bytes, options.cancel);
    report.ill_conditioned = report.condition_hint && detail::leaves_no_digit<T>(*report.condition_hint);
} catch (const std::bad_alloc&) {
    report.condition_hint.reset();
} catch (const OutOfMemory&) {
    report.condition_hint.reset();
} catch (const Cancelled&) {
    report.condition_hint.reset();
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
    const auto b = checked_view<T>(b_view, facts, state.analysis->order, "B");
    const auto x = checked_view<T>(x_view, facts, state.analysis->order, "X");
    FROND_EXPECTS(b.cols == x.cols, "B has " + std::to_string(b.cols) + " columns, X has " + std::to_string(x.cols) +
                                        "; give both the same number");
    FROND_EXPECTS(options.memory_budget_bytes >= 0,
                  "memory_budget_bytes of a solve is negative; give bytes, or 0 for the default");
    FROND_EXPECTS(options.max_refinement_steps >= 0, "max_refinement_steps is negative; give 0 or more");
    FROND_EXPECTS(!options.forward_error || options.part == SolvePart::all,
                  "forward_error is for whole solves; take part = all");
    SolveReport report;
    report.rhs = b.cols;
    state.session->expect_running();
    detail::FactorSolve<T> inverse(state, options);
    const bool in_place = b.data == x.data && b.ld == x.ld && !state.session->has_devices();
    const detail::SolveShape shape = shape_of(state, b.cols, in_place && options.part == SolvePart::all, options);
    const bool alone = inverse.works_alone(std::min(shape.columns, b.cols));
    const detail::JobGuard guard(*state.session, alone ? detail::Workers::resting : detail::Workers::awake);
    detail::CallersBlocks<T> blocks(*state.session, b, x, options.stream,
                                    detail::CallersBlocks<T>::SameMemory::callers_care);
    const bool solved = solve_and_refine_on_device(state, blocks, options, inverse, report);
    if (!solved) solve_from_host(state, blocks, options, shape, inverse, report);
    report.on_device = solved || inverse.on_device();
    if (!report.on_device) report.place_reason = place_reason(state, options);
    if (!solved) {
        report.memory_bytes = state.solve_bytes->of(shape);
        report.columns_at_once = std::min(shape.columns, b.cols);
    }
    if (options.forward_error && solved &&
        !bound_forward_errors<T>(state, blocks.host_b(), blocks.fetch_x(), options, report))
        report.short_of_memory = true;
    report.substitution_seconds += inverse.seconds();
    if (options.condition_hint && options.part == SolvePart::all)
        hint_at_condition(state, bytes_in_elimination_order<T>(report, b.rows), options, report);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T) \
    template SolveReport solve<T>(const Factors<T>&, BlockView<const T>, BlockView<T>, const SolveOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
