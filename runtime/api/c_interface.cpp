// SPDX-License-Identifier: BSD-3-Clause
// The functions of frond.h. Each is one guarded call of the C++ interface.
#include "c_interface_solver.hpp"
#include "c_interface_support.hpp"

#include <limits>

using namespace frond;
using namespace frond::c_interface;

namespace {

// In every spelling that set_option takes: "cpu_workers", "Cpu-Workers".
bool is_session_option(const std::string_view name) {
    for (const OptionInfo& info : option_table())
        if (flag_name(info.name) == flag_name(name)) return info.phase == OptionPhase::session;
    return false;
}

// Options of another object than the one they are given to would be lost without a word.
void expect_untouched(const Options& options, bool session_options, const char* cure) {
    const Options defaults;
    for (const OptionInfo& info : option_table()) {
        const bool foreign = (info.phase == OptionPhase::session) == session_options;
        FROND_EXPECTS(!foreign || get_option(options, info.name) == get_option(defaults, info.name),
                      info.name + std::string(" has no effect here: ") + cure);
    }
}

SessionOptions session_options(const char* options) {
    Options all;
    set_options(all, options ? options : "");
    expect_untouched(all, false, "give it to frond_solver_create");
    return all.session;
}

/// At most capacity of the list, to an array that may be null when nothing is copied.
template <class From, class To>
void copy_list(const std::vector<From>& list, To* to, int64_t capacity, const char* name) {
    const int64_t count = std::min<int64_t>(capacity, static_cast<int64_t>(list.size()));
    if (count <= 0) return;
    expect_pointer(to, name);
    std::copy_n(list.begin(), count, to);
}

}  // namespace

static_assert(FROND_FACTOR_NOT_POSITIVE_DEFINITE == static_cast<int>(FactorStatus::not_positive_definite));
static_assert(FROND_SKEW_SYMMETRIC == static_cast<int>(Symmetry::skew_symmetric));
static_assert(FROND_UPPER == static_cast<int>(Triangle::upper));

extern "C" {

frond_status frond_session_create(const char* options, frond_session** session) {
    return guarded([&] {
        expect_pointer(session, "session");
        *session = nullptr;
        *session = new frond_session{Session(session_options(options))};
    });
}

frond_status frond_session_create_on(const char* options, const void* communicator, frond_session** session) {
    return guarded([&] {
        expect_pointer(session, "session");
        *session = nullptr;
        expect_pointer(communicator, "communicator");
        SessionOptions given = session_options(options);
        given.communicator = communicator;
        *session = new frond_session{Session(given)};
    });
}

frond_status frond_session_get_info(const frond_session* session, frond_session_info* info) {
    return guarded([&] {
        expect_pointer(session, "session");
        copy_out(session_info_of(session->session.info()), info);
    });
}

frond_status frond_session_give_back_memory(const frond_session* session, int64_t* given_back_bytes) {
    return guarded([&] {
        expect_pointer(session, "session");
        const count_t bytes = session->session.give_back_memory();
        if (given_back_bytes != nullptr) *given_back_bytes = bytes;
    });
}

void frond_session_destroy(frond_session* session) { delete session; }

frond_status frond_solver_create(const frond_session* session, frond_scalar scalar, const char* options,
                                 frond_solver** solver) {
    return guarded([&] {
        expect_pointer(session, "session");
        expect_pointer(solver, "solver");
        *solver = nullptr;
        std::unique_ptr<frond_solver> made = make_solver(session->session, scalar);
        set_options(made->options, options ? options : "");
        expect_untouched(made->options, true, "give it to frond_session_create");
        *solver = made.release();
    });
}

frond_status frond_solver_set_option(frond_solver* solver, const char* name, const char* value) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        expect_pointer(name, "name");
        expect_pointer(value, "value");
        FROND_EXPECTS(!is_session_option(name), std::string(name) +
                                                    " has no effect here: give it to "
                                                    "frond_session_create");
        set_option(solver->options, name, value);
    });
}

frond_status frond_solver_get_option(const frond_solver* solver, const char* name, char* value, size_t capacity) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        expect_pointer(name, "name");
        expect_pointer(value, "value");
        const std::string text = get_option(solver->options, name);
        FROND_EXPECTS(text.size() < capacity, "the value needs " + std::to_string(text.size() + 1) +
                                                  " bytes, capacity is " + std::to_string(capacity) +
                                                  "; give a larger buffer");
        std::memcpy(value, text.c_str(), text.size() + 1);
    });
}

void frond_solver_destroy(frond_solver* solver) { delete solver; }

frond_status frond_solver_set_progress(frond_solver* solver, frond_progress progress, void* context) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        solver->options.factor.progress = {};
        if (!progress) return;
        solver->options.factor.progress = [solver, progress, context](const Progress& p) {
            if (progress(p.done_flops, p.total_flops, p.seconds, context) != 0) solver->cancel = true;
        };
    });
}

frond_status frond_solver_set_stream(frond_solver* solver, void* stream) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        solver->options.solve.stream = stream;
    });
}

frond_status frond_solver_cancel(frond_solver* solver, int32_t cancel) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        solver->cancel_requested = cancel != 0;
        solver->cancel = cancel != 0;
    });
}

frond_status frond_solver_set_user_order(frond_solver* solver, const int64_t* order, int64_t n) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        FROND_EXPECTS(n >= 0 && n <= std::numeric_limits<index_t>::max(),
                      "n = " + std::to_string(n) + " is not the order of a matrix; give a number from 0 to 2^31 - 1");
        if (n > 0) expect_pointer(order, "order");
        std::vector<index_t> columns(static_cast<std::size_t>(n));
        for (int64_t k = 0; k < n; ++k) {
            FROND_EXPECTS(order[k] >= 0 && order[k] < n,
                          "order[" + std::to_string(k) + "] = " + std::to_string(order[k]) + " is not in 0 .. " +
                              std::to_string(n - 1) + "; give each column once, counted from 0");
            columns[static_cast<std::size_t>(k)] = static_cast<index_t>(order[k]);
        }
        solver->options.analysis.user_order = std::move(columns);
        solver->options.analysis.ordering = OrderingMethod::user;
    });
}

frond_status frond_analyze(frond_solver* solver, const frond_matrix* a) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        solver->analyze(checked_matrix(a));
    });
}

frond_status frond_factor(frond_solver* solver, const frond_matrix* a) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        solver->factor(checked_matrix(a));
    });
}

frond_status frond_solver_factor_values(frond_solver* solver, const void* values, int64_t count) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        if (count != 0) expect_pointer(values, "values");
        solver->factor_values(values, count);
    });
}

frond_status frond_factor_dense(frond_solver* solver, const frond_dense_matrix* a) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        solver->factor_dense(checked_dense_matrix(a));
    });
}

frond_status frond_solve(frond_solver* solver, int64_t rhs, const void* b, int64_t ldb, void* x, int64_t ldx) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        FROND_EXPECTS(rhs >= 0, "rhs = " + std::to_string(rhs) + " is negative; give the number of right-hand sides");
        if (rhs > 0 && !solver->is_on_ranks()) {
            expect_pointer(b, "b");
            expect_pointer(x, "x");
        }
        solver->solve(rhs, b, ldb, x, ldx);
    });
}

frond_status frond_solve_rows(frond_solver* solver, int64_t rhs, const frond_block_rows* b, const frond_block_rows* x) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        FROND_EXPECTS(rhs >= 0, "rhs = " + std::to_string(rhs) + " is negative; give the number of right-hand sides");
        solver->solve_rows(rhs, checked_block_rows(b, "b"), checked_block_rows(x, "x"));
    });
}

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
        expect_pointer(skeel_condition, "skeel_condition");
        const ConditionEstimate estimate = solver->condition();
        *skeel_condition = estimate.skeel_condition;
        if (ill_conditioned) *ill_conditioned = estimate.ill_conditioned;
    });
}

frond_status frond_null_space(const frond_solver* solver, int32_t left, int64_t* dimension, void* basis,
                              int64_t capacity, double* residual) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        expect_pointer(dimension, "dimension");
        *dimension = solver->null_space(left != 0, basis, capacity, residual);
    });
}

frond_status frond_save_analysis(const frond_solver* solver, const char* path) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        expect_pointer(path, "path");
        solver->save_analysis(path);
    });
}

frond_status frond_load_analysis(frond_solver* solver, const char* path) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        expect_pointer(path, "path");
        solver->load_analysis(path);
    });
}

}  // extern "C"
