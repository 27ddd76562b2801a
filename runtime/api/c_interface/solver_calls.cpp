// SPDX-License-Identifier: BSD-3-Clause
// The functions of frond.h for solvers. Each is one guarded call of the C++ interface.
#include "solver.hpp"
#include "checked_structures.hpp"
#include "guarded.hpp"
#include "untouched_options.hpp"

#include <limits>
#include <utility>

using namespace frond;
using namespace frond::c_interface;

namespace {

// The name may have every spelling that set_option takes: "cpu_workers", "Cpu-Workers".
bool is_session_option(const std::string_view name) {
    for (const OptionInfo& info : option_table())
        if (flag_name(info.name) == flag_name(name)) return info.phase == OptionPhase::session;
    return false;
}

void expect_rhs(int64_t rhs) {
    FROND_EXPECTS(rhs >= 0, "rhs = " + std::to_string(rhs) + " is negative; give the number of right-hand sides");
}

}  // namespace

extern "C" {

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
        solver->analyze(solver->checked([&] { return checked_matrix(a); }));
    });
}

frond_status frond_factor(frond_solver* solver, const frond_matrix* a) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        solver->factor(solver->checked([&] { return checked_matrix(a); }));
    });
}

frond_status frond_solver_factor_values(frond_solver* solver, const void* values, int64_t count) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        solver->checked([&] {
            if (count != 0) expect_pointer(values, "values");
        });
        solver->factor_values(values, count);
    });
}

frond_status frond_factor_dense(frond_solver* solver, const frond_dense_matrix* a) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        solver->factor_dense(solver->checked([&] { return checked_dense_matrix(a); }));
    });
}

frond_status frond_solve(frond_solver* solver, int64_t rhs, const void* b, int64_t ldb, void* x, int64_t ldx) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        solver->checked([&] {
            expect_rhs(rhs);
            if (rhs == 0 || solver->is_on_ranks()) return;
            expect_pointer(b, "b");
            expect_pointer(x, "x");
        });
        solver->solve(rhs, b, ldb, x, ldx);
    });
}

frond_status frond_solve_rows(frond_solver* solver, int64_t rhs, const frond_block_rows* b, const frond_block_rows* x) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        const auto [b_rows, x_rows] = solver->checked([&] {
            expect_rhs(rhs);
            return std::pair(checked_block_rows(b, "b"), checked_block_rows(x, "x"));
        });
        solver->solve_rows(rhs, b_rows, x_rows);
    });
}

frond_status frond_save_analysis(const frond_solver* solver, const char* path) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        solver->save_analysis(path);
    });
}

frond_status frond_load_analysis(frond_solver* solver, const char* path) {
    return guarded([&] {
        expect_pointer(solver, "solver");
        solver->load_analysis(path);
    });
}

}  // extern "C"
