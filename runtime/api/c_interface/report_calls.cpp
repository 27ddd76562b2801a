// SPDX-License-Identifier: BSD-3-Clause
// The functions of frond.h that tell what a solver did and what its factors say.
#include "guarded.hpp"
#include "solver.hpp"

#include <algorithm>
#include <vector>

using namespace frond;
using namespace frond::c_interface;

namespace {

/// Copies at most `capacity` entries of the list, to an array that may be null when nothing is copied.
template <class From, class To>
void copy_list(const std::vector<From>& list, To* to, int64_t capacity, const char* name) {
    const int64_t count = std::min<int64_t>(capacity, static_cast<int64_t>(list.size()));
    if (count <= 0) return;
    expect_pointer(to, name);
    std::copy_n(list.begin(), count, to);
}

}  // namespace

extern "C" {

frond_status frond_solver_get_analysis_report(const frond_solver* solver, frond_analysis_report* report) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        copy_out(solver->analysis_report(), report);
    });
}

frond_status frond_solver_get_factor_report(const frond_solver* solver, frond_factor_report* report) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        copy_out(factor_report_of(solver->factor_report()), report);
    });
}

frond_status frond_solver_get_solve_report(const frond_solver* solver, frond_solve_report* report) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        copy_out(solve_report_of(solver->solve_report()), report);
    });
}

frond_status frond_small_pivots(const frond_solver* solver, int64_t* columns, int64_t capacity) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        copy_list(solver->factor_report().pivots.small_columns, columns, capacity, "columns");
    });
}

frond_status frond_null_rows(const frond_solver* solver, int64_t* rows, int64_t capacity) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        copy_list(solver->factor_report().pivots.null_rows, rows, capacity, "rows");
    });
}

frond_status frond_solve_errors(const frond_solver* solver, double* backward, double* componentwise, double* forward,
                                int64_t capacity) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        const SolveReport& report = solver->solve_report();
        FROND_EXPECTS(!forward || report.forward_error,
                      "the last solve bounded no forward errors: set the option forward_error=on");
        if (backward) copy_list(report.backward_errors, backward, capacity, "backward");
        if (componentwise) copy_list(report.componentwise_backward_errors, componentwise, capacity, "componentwise");
        if (forward) copy_list(report.forward_errors, forward, capacity, "forward");
    });
}

frond_status frond_log_determinant(const frond_solver* solver, double* log_abs, double phase[2]) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        solver->log_determinant(log_abs, phase);
    });
}

frond_status frond_condition_estimate(const frond_solver* solver, double* norm_1, double* inverse_norm_1,
                                      double* reciprocal_condition) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        const ConditionEstimate estimate = solver->condition();
        if (norm_1) *norm_1 = estimate.norm_1;
        if (inverse_norm_1) *inverse_norm_1 = estimate.inverse_norm_1;
        if (reciprocal_condition) *reciprocal_condition = estimate.reciprocal_condition;
    });
}

frond_status frond_skeel_condition(const frond_solver* solver, double* skeel_condition, int32_t* ill_conditioned) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        solver->checked([&] { expect_pointer(skeel_condition, "skeel_condition"); });
        const ConditionEstimate estimate = solver->condition();
        *skeel_condition = estimate.skeel_condition;
        if (ill_conditioned) *ill_conditioned = estimate.ill_conditioned;
    });
}

frond_status frond_null_space(const frond_solver* solver, int32_t left, int64_t* dimension, void* basis,
                              int64_t capacity, double* residual) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        solver->checked([&] { expect_pointer(dimension, "dimension"); });
        *dimension = solver->null_space(left != 0, basis, capacity, residual);
    });
}

}  // extern "C"
