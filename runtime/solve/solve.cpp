// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <new>

#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "solve/gmres.hpp"
#include "solve/block_views.hpp"
#include "solve/forward_error.hpp"
#include "solve/inverse_pair.hpp"
#include "solve/refine.hpp"
#include "solve/solve_on_device.hpp"

namespace frond {
namespace {

template <class T>
void fill_report(SolveReport& report, const RefinementReport& refined, const SolveOptions& options) {
    report.backward_error = report.componentwise_backward_error = 0;
    report.refinement_steps = refined.steps;
    report.krylov_iterations = refined.krylov_iterations;
    report.backward_errors = refined.normwise;
    report.componentwise_backward_errors = refined.componentwise;
    for (const double e : refined.normwise) report.backward_error = std::max(report.backward_error, e);
    for (const double e : refined.componentwise)
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
void clear_infinite_columns(DenseView<T> x) {
    for (index_t j = 0; j < x.cols; ++j)
        if (!std::all_of(x.column(j), x.column(j) + x.rows, [](T v) { return std::isfinite(std::abs(v)); }))
            std::fill_n(x.column(j), x.rows, T(0));
}

template <class T>
void refine_solution(const detail::FactorsState<T>& state, DenseView<const T> b, DenseView<T> x,
                     const SolveOptions& options, detail::Inverse<T>& inverse, SolveReport& report) {
    const LinearSystem<T>& system = state.system(options.operation);
    const ApplyInverse<T> apply = [&inverse](DenseView<T> v) { inverse.apply(v); };
    RefinementOptions refinement;
    refinement.max_steps = options.max_refinement_steps;
    refinement.target = options.target_backward_error;
    refinement.cancel = options.cancel;
    clear_infinite_columns(x);
    RefinementReport refined = refine(system, b, apply, x, refinement);
    if (options.krylov == Krylov::automatic && !all_accepted<T>(refined, options)) {
        GmresOptions gmres_options;
        gmres_options.target = options.target_backward_error;
        gmres_options.cancel = options.cancel;
        gmres(system, b, apply, x, gmres_options, refined);
    }
    fill_report<T>(report, refined, options);
}

/// False when it was not done there, or did not converge: then substitution, which does not invert blocks of the
/// factors, or GMRES may do better.
template <class T>
bool solve_and_refine_on_device(const detail::FactorsState<T>& state, const detail::CallersBlocks<T>& blocks,
                                const SolveOptions& options, detail::Inverse<T>& inverse, SolveReport& report) {
    if (options.part != SolvePart::all || inverse.conjugated() || !inverse.wants_device()) return false;
    std::optional<RefinementReport> refined;
    try {
        refined = detail::solve_on_device<T>(state, blocks, options, report.substitution_seconds);
    } catch (const DeviceError&) {  // no room, mostly: cores need none
        if (options.place == SolvePlace::device) throw;
        state.device_solve().release_device();
    }
    if (refined) {
        fill_report<T>(report, *refined, options);
        if (report.status == SolveStatus::converged) return true;
        if (options.krylov == Krylov::off && options.place == SolvePlace::device) return true;
    }
    if (options.place == SolvePlace::automatic) inverse.stay_on_host();
    return false;
}

/// With B and X in the host's memory, wherever the factors are.
template <class T>
void solve_from_host(const detail::FactorsState<T>& state, detail::CallersBlocks<T>& blocks,
                     const SolveOptions& options, detail::Inverse<T>& inverse, SolveReport& report) {
    const DenseView<const T> b = blocks.host_b();
    const DenseView<T> x = blocks.host_x();
    copy_block<T>(b, x);
    inverse.apply(x);
    if (options.part == SolvePart::all)
        refine_solution(state, b, x, options, inverse, report);
    else
        report.backward_error = report.componentwise_backward_error = std::numeric_limits<double>::quiet_NaN();
    blocks.send_x();
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

template <class T>
void bound_forward_errors(const detail::FactorsState<T>& state, DenseView<const T> b, DenseView<const T> x,
                          const SolveOptions& options, SolveReport& report) {
    if (state.report.status == FactorStatus::singular) {
        report.forward_errors.assign(static_cast<std::size_t>(x.cols), std::numeric_limits<double>::infinity());
    } else {
        detail::InversePair<T> pair(state, options.operation, options.cancel);
        report.forward_errors = forward_error_bounds<T>(state.system(options.operation),
                                                        entries_of_rows(*state.matrix, options.operation), b, x,
                                                        pair.inverse(), pair.adjoint());
    }
    report.forward_error = 0;
    for (const double e : report.forward_errors) report.forward_error = std::max(*report.forward_error, e);
}

}  // namespace

template <class T>
SolveReport solve(const Factors<T>& factors, BlockView<const T> b_view, BlockView<T> x_view,
                  const SolveOptions& options) try {
    const auto start = std::chrono::steady_clock::now();
    const FactorReport& facts = factors.report();
    detail::FactorsState<T>& state = *factors.state();
    const auto b = checked_view<T>(b_view, facts, state.analysis->order, "B");
    const auto x = checked_view<T>(x_view, facts, state.analysis->order, "X");
    FROND_EXPECTS(b.cols == x.cols, "B has " + std::to_string(b.cols) + " columns, X has " +
                                        std::to_string(x.cols));
    FROND_EXPECTS(options.max_refinement_steps >= 0, "max_refinement_steps must not be negative");
    FROND_EXPECTS(!options.forward_error || options.part == SolvePart::all,
                  "forward_error is for whole solves, part = all");
    SolveReport report;
    report.rhs = b.cols;
    state.session->expect_running();
    detail::Inverse<T> inverse(state, options);
    const bool alone = inverse.works_alone(b.cols);
    const detail::JobGuard guard(*state.session, alone ? detail::Workers::resting : detail::Workers::awake);
    detail::CallersBlocks<T> blocks(*state.session, b, x, options.stream);
    const bool solved = solve_and_refine_on_device(state, blocks, options, inverse, report);
    if (!solved) solve_from_host(state, blocks, options, inverse, report);
    report.on_device = solved || inverse.on_device();
    if (!report.on_device) report.place_reason = place_reason(state, options);
    if (options.forward_error)
        bound_forward_errors<T>(state, blocks.host_b(), solved ? blocks.fetch_x() : blocks.host_x().as_const(), options,
                                report);
    report.substitution_seconds += inverse.seconds();
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T) \
    template SolveReport solve<T>(const Factors<T>&, BlockView<const T>, BlockView<T>, const SolveOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
