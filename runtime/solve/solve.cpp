// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>
#include <limits>
#include <new>

#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "solve/gmres.hpp"
#include "solve/inverse.hpp"
#include "solve/refine.hpp"

namespace frond {
namespace {

template <class T, class U>
DenseView<U> checked_view(const BlockView<U>& v, const FactorReport& report, index_t n, const char* name) {
    FROND_EXPECTS(report.status != FactorStatus::not_positive_definite,
                  "the matrix is not positive definite, so L L^H has no factors; use ldlt or automatic");
    FROND_EXPECTS(v.rows == n, std::string(name) + " has " + std::to_string(v.rows) +
                                   " rows, the matrix has order " + std::to_string(n));
    const count_t ld = v.ld == 0 ? v.rows : v.ld;
    FROND_EXPECTS(ld >= v.rows, std::string(name) + " has ld = " + std::to_string(ld) + " below its rows");
    FROND_EXPECTS(v.cols >= 0 && v.cols <= std::numeric_limits<index_t>::max() &&
                      ld <= std::numeric_limits<index_t>::max(),
                  std::string(name) + " is larger than 2^31 - 1 in one direction");
    FROND_EXPECTS(v.data != nullptr || v.rows == 0 || v.cols == 0, std::string(name) + " has no memory");
    return {v.data, n, static_cast<index_t>(v.cols), static_cast<index_t>(std::max<count_t>(ld, 1))};
}

template <class T>
void copy(DenseView<const T> from, DenseView<T> to) {
    for (index_t j = 0; j < from.cols; ++j)
        if (from.data + static_cast<count_t>(j) * from.ld != to.data + static_cast<count_t>(j) * to.ld)
            std::copy_n(&from(0, j), from.rows, &to(0, j));
}

/// B that survives when X is written over it.
template <class T>
class KeptRightHandSide {
public:
    KeptRightHandSide(DenseView<const T> b, DenseView<T> x) : view_(b) {
        if (b.rows == 0 || b.cols == 0 || !overlap(b, x)) return;
        memory_ = HostBlock(static_cast<count_t>(b.rows) * b.cols * static_cast<count_t>(sizeof(T)));
        const DenseView<T> kept{static_cast<T*>(memory_.data()), b.rows, b.cols, b.rows};
        copy(b, kept);
        view_ = {kept.data, kept.rows, kept.cols, kept.ld};
    }
    DenseView<const T> view() const { return view_; }

private:
    static bool overlap(DenseView<const T> b, DenseView<T> x) {
        const T* b_end = b.data + static_cast<count_t>(b.cols) * b.ld;
        const T* x_end = x.data + static_cast<count_t>(x.cols) * x.ld;
        return b.data < x_end && x.data < b_end;
    }
    HostBlock memory_;
    DenseView<const T> view_;
};

/// What counts as solved when the caller asks for nothing in particular: refinement aims at 10 eps, but
/// rows with thousands of entries end a little above it.
template <class T>
double accepted_error(const SolveOptions& options) {
    constexpr double default_in_eps = 4096;
    return options.target_backward_error > 0 ? options.target_backward_error
                                             : default_in_eps * std::numeric_limits<real_t<T>>::epsilon();
}

template <class T>
void fill_report(SolveReport& report, const RefinementReport& refined, const SolveOptions& options) {
    report.refinement_steps = refined.steps;
    report.krylov_iterations = refined.krylov_iterations;
    report.backward_errors = refined.normwise;
    report.componentwise_backward_errors = refined.componentwise;
    for (const double e : refined.normwise) report.backward_error = std::max(report.backward_error, e);
    for (const double e : refined.componentwise)
        report.componentwise_backward_error = std::max(report.componentwise_backward_error, e);
    const bool accepted = report.componentwise_backward_error <= accepted_error<T>(options);
    report.status = accepted ? SolveStatus::converged : SolveStatus::not_converged;
}

template <class T>
bool all_accepted(const RefinementReport& refined, const SolveOptions& options) {
    return std::all_of(refined.componentwise.begin(), refined.componentwise.end(),
                       [&](double e) { return e <= accepted_error<T>(options); });
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
    RefinementReport refined = refine(system, b, apply, x, refinement);
    const bool perturbed = state.report.status != FactorStatus::success;
    if (perturbed && options.krylov == Krylov::automatic && !all_accepted<T>(refined, options)) {
        GmresOptions gmres_options;
        gmres_options.target = options.target_backward_error;
        gmres_options.cancel = options.cancel;
        gmres(system, b, apply, x, gmres_options, refined);
    }
    fill_report<T>(report, refined, options);
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
    SolveReport report;
    report.rhs = b.cols;
    const detail::JobGuard guard(*state.session);
    const KeptRightHandSide<T> kept(b, x);
    detail::Inverse<T> inverse(state, options);
    copy<T>(kept.view(), x);
    inverse.apply(x);
    if (options.part == SolvePart::all) refine_solution(state, kept.view(), x, options, inverse, report);
    report.substitution_seconds = inverse.seconds();
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T) \
    template SolveReport solve<T>(const Factors<T>&, BlockView<const T>, BlockView<T>, const SolveOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
