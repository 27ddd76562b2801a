// SPDX-License-Identifier: BSD-3-Clause
#include "solve/solve_parts.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/condition.hpp"
#include "session/trace_span.hpp"
#include "solve/condition_of_factors.hpp"

namespace frond::detail {

template <class T>
void summarize(SolveReport& report, const SolveOptions& options) {
    const auto largest = [](const std::vector<double>& errors) {
        return std::accumulate(errors.begin(), errors.end(), 0.0, [](double a, double b) { return std::max(a, b); });
    };
    report.backward_error = largest(report.backward_errors);
    report.componentwise_backward_error = largest(report.componentwise_backward_errors);
    report.pure_componentwise_backward_error = largest(report.pure_componentwise_backward_errors);
    const bool accepted = report.componentwise_backward_error <= accepted_backward_error<T>(options);
    report.status = accepted ? SolveStatus::converged : SolveStatus::not_converged;
}

template <class T>
void fill_report(SolveReport& report, RefinementReport&& refined, const SolveOptions& options) {
    report.refinement_steps = refined.steps;
    report.krylov_iterations = refined.krylov_iterations;
    report.backward_errors = std::move(refined.normwise);
    report.componentwise_backward_errors = std::move(refined.componentwise);
    report.pure_componentwise_backward_errors = std::move(refined.pure);
    report.short_of_memory = refined.ran_out_of_memory;
    summarize<T>(report, options);
}

template <class T>
void hint_at_condition(const FactorsState<T>& state, count_t held_bytes, const SolveOptions& options,
                       SolveReport& report) try {
    const HostSpan span("condition hint");
    report.condition_hint = condition_hint(state, options.memory_budget_bytes, held_bytes, options.cancel);
    report.ill_conditioned = report.condition_hint && leaves_no_digit<T>(*report.condition_hint);
} catch (const std::bad_alloc&) {
    report.condition_hint.reset();
} catch (const OutOfMemory&) {
    report.condition_hint.reset();
} catch (const Cancelled&) {
    report.condition_hint.reset();
}

template <class T>
RefinementOptions refinement_options(const SolveOptions& options, FactorStatus status) {
    RefinementOptions refinement;
    refinement.max_steps = options.max_refinement_steps;
    refinement.target = refinement_target<T>(options.target_backward_error);
    refinement.cancel = options.cancel;
    refinement.perturbed = status == FactorStatus::perturbed;
    return refinement;
}

#define FROND_INSTANTIATE(T)                                                                                \
    template void summarize<T>(SolveReport&, const SolveOptions&);                                          \
    template void hint_at_condition<T>(const FactorsState<T>&, count_t, const SolveOptions&, SolveReport&); \
    template void fill_report<T>(SolveReport&, RefinementReport&&, const SolveOptions&);                    \
    template RefinementOptions refinement_options<T>(const SolveOptions&, FactorStatus);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
