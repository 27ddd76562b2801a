// SPDX-License-Identifier: BSD-3-Clause
// The C interface from outside: every scalar, index type and format, and what the reports say.
#include "c_handles.hpp"
#include "frond/enum_text.hpp"
#include "frond/session.hpp"
#include "frond/tuning.hpp"
#include "scalar_lists.hpp"
#include "temporary_file.hpp"
#include "tolerance.hpp"

#include <cmath>
#include <limits>

using namespace frond::test;
using namespace frond::test::c;

namespace {

template <class T, class I>
void solve_everything(const Session& session, frond_format format, I base) {
    CAPTURE(static_cast<int>(format));
    CAPTURE(base);
    const Tridiagonal<T, I> a(50, format, base);
    std::vector<T> known(50);
    for (std::size_t i = 0; i < known.size(); ++i) known[i] = T(static_cast<frond::real_t<T>>(1 + i % 7));
    const std::vector<T> b = a.times(known);
    std::vector<T> x(50);
    const Solver solver(session, scalar_of<T>());
    REQUIRE(frond_analyze(solver.get(), &a.matrix) == FROND_OK);
    REQUIRE(frond_factor(solver.get(), &a.matrix) == FROND_OK);
    REQUIRE(frond_solve(solver.get(), 1, b.data(), 50, x.data(), 0) == FROND_OK);
    // Condition number below 3 (Gershgorin on A^T A): a dozen eps covers the solve.
    const double tolerance = 40 * std::numeric_limits<frond::real_t<T>>::epsilon();
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(x[i] - known[i]) <= 7 * tolerance);
    frond_solve_report report;
    FROND_STRUCT(report);
    REQUIRE(frond_solver_get_solve_report(solver.get(), &report) == FROND_OK);
    CHECK(report.converged == 1);
    CHECK(report.rhs == 1);
    CHECK(report.componentwise_backward_error <= tolerance);
}

/// (value[0] value[1]; value[2] value[3]); the values stay the caller's.
frond_matrix two_by_two(const double* value) {
    static constexpr int32_t row[] = {0, 0, 1, 1}, column[] = {0, 1, 0, 1};
    frond_matrix a;
    FROND_STRUCT(a);
    a.format = FROND_TRIPLETS;
    a.rows = a.cols = 2;
    a.entries = 4;
    a.begin = row;
    a.index = column;
    a.value = value;
    return a;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("every format, index type and base", T, every_format) {
    const Session session;
    for (const frond_format format : {FROND_CSC, FROND_CSR, FROND_TRIPLETS}) {
        solve_everything<T, int32_t>(session, format, 0);
        solve_everything<T, int32_t>(session, format, 1);
        solve_everything<T, int64_t>(session, format, 0);
    }
}

TEST_CASE_TEMPLATE_APPLY(every_format, Scalars);

TEST_CASE("new values in the order of the caller's arrays") {
    const Session session;
    Solver solver(session, FROND_DOUBLE);
    auto a = Tridiagonal<double, int64_t>(30, FROND_CSR, 1);
    const auto count = static_cast<int64_t>(a.value.size());
    CHECK(frond_solver_factor_values(solver.get(), a.value.data(), count) == FROND_INVALID_ARGUMENT);
    REQUIRE(frond_analyze(solver.get(), &a.matrix) == FROND_OK);
    CHECK(frond_solver_factor_values(solver.get(), nullptr, count) == FROND_INVALID_ARGUMENT);
    CHECK(frond_solver_factor_values(solver.get(), a.value.data(), count - 1) == FROND_INVALID_ARGUMENT);
    std::vector<double> doubled(a.value), x(30);
    for (double& v : doubled) v *= 2;
    REQUIRE(frond_solver_factor_values(solver.get(), doubled.data(), count) == FROND_OK);
    frond_factor_report report;
    FROND_STRUCT(report);
    REQUIRE(frond_solver_get_factor_report(solver.get(), &report) == FROND_OK);
    CHECK(report.scaling_kept == 1);
    const std::vector<double> b = a.times(std::vector<double>(30, 1.0));
    REQUIRE(frond_solve(solver.get(), 1, b.data(), 0, x.data(), 0) == FROND_OK);
    // Condition number below 3, as above.
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(is_near(x[i], 0.5, rounding_bound<double>(40)));
}

TEST_CASE("an analysis without values, which a factorization needs; one triangle of a general matrix") {
    const Session session;
    Solver solver(session, FROND_DOUBLE);
    const double full[] = {4, 1, 2, 5}, lower[] = {4, 2, 5};
    frond_matrix a = two_by_two(nullptr);
    REQUIRE(frond_analyze(solver.get(), &a) == FROND_OK);
    CHECK(frond_factor(solver.get(), &a) == FROND_INVALID_MATRIX);
    a.value = full;
    REQUIRE(frond_factor(solver.get(), &a) == FROND_OK);
    const double b[] = {5, 7};
    double x[2];
    REQUIRE(frond_solve(solver.get(), 1, b, 0, x, 0) == FROND_OK);
    CHECK(is_near(x[0], 1, rounding_bound<double>(40)));
    const int32_t row[] = {0, 1, 1}, column[] = {0, 0, 1};
    frond_matrix triangle = two_by_two(lower);
    triangle.entries = 3;
    triangle.begin = row;
    triangle.index = column;
    frond_analysis_report report;
    FROND_STRUCT(report);
    REQUIRE(frond_solver_get_analysis_report(solver.get(), &report) == FROND_OK);
    CHECK(report.one_triangle == FROND_BOTH);
    REQUIRE(frond_analyze(solver.get(), &triangle) == FROND_OK);
    REQUIRE(frond_solver_get_analysis_report(solver.get(), &report) == FROND_OK);
    CHECK(report.one_triangle == FROND_LOWER);
}

TEST_CASE("a session says which tuning it took") {
    const frond::test::TemporaryFile file(".json");
    frond::Tuning tuning;
    tuning.machine = frond::machine_kind(0);
    tuning.workers = 2;
    tuning.scheduler = "prio";
    frond::write_tuning(tuning, file.path());
    const Session session("gpus=0 cpu_workers=2 tuning=" + file.path());
    frond_session_info info;
    FROND_STRUCT(info);
    REQUIRE(frond_session_get_info(session.get(), &info) == FROND_OK);
    CHECK(info.scheduler == std::string("prio"));
    CHECK(info.tuning_file == file.path());
    CHECK(info.tuning == std::string("scheduler prio"));
    CHECK(info.tuning_advice == std::string());
}

TEST_CASE("reports") {
    const Session session;
    frond_session_info info;
    FROND_STRUCT(info);
    REQUIRE(frond_session_get_info(session.get(), &info) == FROND_OK);
    CHECK(info.cpu_workers >= 1);
    CHECK(info.mpi_ranks == 1);
    CHECK(contains(info.blas, "OpenBLAS"));
    const frond::SessionInfo told = frond::Session().info();
    CHECK(info.blas_advice == told.blas_advice);
    CHECK(info.gpu_vendor == std::string(to_string(told.gpu_vendor)));
    CHECK(info.gpu_advice == told.gpu_advice);
    CHECK(info.gpus == told.gpus);

    // [1 2; 2 1]: eigenvalues -1 and 3.
    const int32_t begin[] = {0, 2, 3}, row[] = {0, 1, 1};
    const double value[] = {1, 2, 1}, b[] = {3, 3};
    double x[2];
    frond_matrix a;
    FROND_STRUCT(a);
    a.symmetry = FROND_SYMMETRIC;
    a.triangle = FROND_LOWER;
    a.rows = a.cols = 2;
    a.begin = begin;
    a.index = row;
    a.value = value;
    const Solver solver(session, FROND_DOUBLE, "factorization=ldlt");
    REQUIRE(frond_factor(solver.get(), &a) == FROND_OK);
    frond_analysis_report analysis;
    frond_factor_report factors;
    FROND_STRUCT(analysis);
    FROND_STRUCT(factors);
    REQUIRE(frond_solver_get_analysis_report(solver.get(), &analysis) == FROND_OK);
    CHECK(analysis.order == 2);
    CHECK(analysis.entries == 3);
    CHECK(std::string(analysis.factorization) == "ldlt");
    REQUIRE(frond_solver_get_factor_report(solver.get(), &factors) == FROND_OK);
    CHECK(factors.status == FROND_FACTOR_SUCCESS);
    REQUIRE(factors.has_inertia);
    CHECK(factors.negative == 1);
    CHECK(factors.positive == 1);
    CHECK(factors.subtree_tasks == (factors.on_device ? 0 : 1));
    CHECK(factors.scaling_seconds <= factors.seconds);
    CHECK(factors.static_pivot == 0);
    double log_abs = 0, phase[2] = {0, 0};
    REQUIRE(frond_log_determinant(solver.get(), &log_abs, phase) == FROND_OK);
    CHECK(is_near(log_abs, std::log(3.0), rounding_bound<double>(10)));
    CHECK(phase[0] == -1);
    CHECK(phase[1] == 0);
    REQUIRE(frond_solve(solver.get(), 1, b, 2, x, 2) == FROND_OK);
    for (const double entry : {x[0], x[1]}) CHECK(is_near(entry, 1, 3 * rounding_bound<double>(10)));  // condition 3
}

TEST_CASE("singular is an outcome, too little memory a failure") {
    const Session session;
    const double value[] = {1, 2, 2, 4};
    const frond_matrix a = two_by_two(value);
    const Solver solver(session, FROND_DOUBLE);
    CHECK(frond_factor(solver.get(), &a) == FROND_OK);
    frond_factor_report report;
    FROND_STRUCT(report);
    REQUIRE(frond_solver_get_factor_report(solver.get(), &report) == FROND_OK);
    CHECK(report.status != FROND_FACTOR_SUCCESS);
    REQUIRE(report.small_pivots == 1);
    int64_t small = -1;
    CHECK(frond_small_pivots(solver.get(), &small, 1) == FROND_OK);
    CHECK((small == 0 || small == 1));
    CHECK(frond_log_determinant(solver.get(), nullptr, nullptr) == FROND_INVALID_ARGUMENT);

    REQUIRE(frond_solver_set_option(solver.get(), "memory_budget_bytes", "16") == FROND_OK);
    CHECK(frond_factor(solver.get(), &a) == FROND_MEMORY_BUDGET_EXCEEDED);
}

TEST_CASE("where the substitution ran") {
    const Session session;
    const Tridiagonal<double, int32_t> a(50, FROND_CSC, 0);
    for (const bool on_device : {false, true}) {
        CAPTURE(on_device);
        const Solver solver(session, FROND_DOUBLE, on_device ? "place=device" : "place=host");
        std::vector<double> x(50, 1);
        REQUIRE(frond_factor(solver.get(), &a.matrix) == FROND_OK);
        const frond_status status = frond_solve(solver.get(), 1, x.data(), 50, x.data(), 50);
        if (on_device && status != FROND_OK) continue;  // no card, or not one; then it is an error
        REQUIRE(status == FROND_OK);
        frond_solve_report report;
        FROND_STRUCT(report);
        report.on_device = 7;  // to be overwritten
        REQUIRE(frond_solver_get_solve_report(solver.get(), &report) == FROND_OK);
        CHECK(report.on_device == on_device);
    }
}

TEST_CASE("presolve, and a stream") {
    const Session session;
    const Tridiagonal<double, int32_t> a(50, FROND_CSC, 0);
    const bool one_device = frond::Session().info().gpus == 1;
    for (const char* options : {"presolve=on", "presolve=off"}) {
        CAPTURE(std::string(options));
        const Solver solver(session, FROND_DOUBLE, options);
        REQUIRE(frond_factor(solver.get(), &a.matrix) == FROND_OK);
        frond_factor_report report;
        FROND_STRUCT(report);
        report.presolve_seconds = 7;  // to be overwritten
        REQUIRE(frond_solver_get_factor_report(solver.get(), &report) == FROND_OK);
        CHECK((report.presolve_seconds > 0) == (one_device && options == std::string("presolve=on")));
    }
    const Solver solver(session, FROND_DOUBLE);
    REQUIRE(frond_factor(solver.get(), &a.matrix) == FROND_OK);
    std::vector<double> x(50, 1);
    CHECK(frond_solver_set_stream(nullptr, nullptr) == FROND_INVALID_ARGUMENT);
    if (!one_device) {
        int no_stream = 0;
        REQUIRE(frond_solver_set_stream(solver.get(), &no_stream) == FROND_OK);
        CHECK(frond_solve(solver.get(), 1, x.data(), 50, x.data(), 50) == FROND_INVALID_ARGUMENT);
        CHECK(contains(frond_last_error(), "stream"));
    }
    REQUIRE(frond_solver_set_stream(solver.get(), nullptr) == FROND_OK);
    CHECK(frond_solve(solver.get(), 1, x.data(), 50, x.data(), 50) == FROND_OK);
}

/// (1 1; 1 1 + d): Skeel's condition is 4 / d.
TEST_CASE("Skeel's condition, and the hint of a solve") {
    const Session session;
    for (const double d : {1.0, 6e-15}) {
        const double value[] = {1, 1, 1, 1 + d};
        const frond_matrix a = two_by_two(value);
        const Solver solver(session, FROND_DOUBLE);
        double skeel = 0, b[] = {1, 0};
        int32_t ill_conditioned = 7;
        CHECK(frond_skeel_condition(solver.get(), &skeel, nullptr) == FROND_INVALID_ARGUMENT);
        REQUIRE(frond_factor(solver.get(), &a) == FROND_OK);
        REQUIRE(frond_skeel_condition(solver.get(), &skeel, &ill_conditioned) == FROND_OK);
        CHECK(skeel * d > 1);
        CHECK(skeel * d < 10);
        CHECK(ill_conditioned == (d < 1));
        CHECK(frond_skeel_condition(solver.get(), nullptr, nullptr) == FROND_INVALID_ARGUMENT);
        REQUIRE(frond_solve(solver.get(), 1, b, 2, b, 2) == FROND_OK);
        frond_solve_report solved;
        FROND_STRUCT(solved);
        REQUIRE(frond_solver_get_solve_report(solver.get(), &solved) == FROND_OK);
        REQUIRE(solved.has_condition_hint == 1);
        CHECK(solved.ill_conditioned == (d < 1));
        CHECK(solved.condition_hint * d > 1);
        CHECK(solved.condition_hint * d < 10);
        frond_factor_report factored;
        FROND_STRUCT(factored);
        REQUIRE(frond_solver_get_factor_report(solver.get(), &factored) == FROND_OK);
        CHECK(factored.smallest_pivot > 0);
        CHECK(factored.largest_pivot >= factored.smallest_pivot);
    }
}

TEST_CASE("condition, forward error and null spaces") {
    const Session session;
    // (1 2; 2 4) and, for value 5, a regular matrix with inverse (5 -2; -2 1).
    double value[] = {1, 2, 2, 5};
    const frond_matrix a = two_by_two(value);
    const Solver solver(session, FROND_DOUBLE, "forward_error=on null_pivots=error");
    double norm = 0, inverse = 0, reciprocal = 0;
    CHECK(frond_condition_estimate(solver.get(), &norm, &inverse, &reciprocal) == FROND_INVALID_ARGUMENT);
    REQUIRE(frond_factor(solver.get(), &a) == FROND_OK);
    REQUIRE(frond_condition_estimate(solver.get(), &norm, &inverse, &reciprocal) == FROND_OK);
    CHECK(norm == 7);
    CHECK(is_near(inverse, 7, 49 * rounding_bound<double>(10)));
    CHECK(is_near(reciprocal, 1 / 49.0, 49 * rounding_bound<double>(10)));
    CHECK(frond_condition_estimate(solver.get(), nullptr, nullptr, nullptr) == FROND_OK);
    double b[] = {1, 0};
    REQUIRE(frond_solve(solver.get(), 1, b, 2, b, 2) == FROND_OK);
    frond_solve_report solved;
    FROND_STRUCT(solved);
    REQUIRE(frond_solver_get_solve_report(solver.get(), &solved) == FROND_OK);
    CHECK(solved.has_forward_error);
    CHECK(solved.forward_error > 0);
    CHECK(solved.forward_error < 49 * rounding_bound<double>(20));  // condition number and a few operations a row
    CHECK_FALSE(solved.escalated);
    int64_t dimension = -1;
    REQUIRE(frond_null_space(solver.get(), 0, &dimension, nullptr, 0, nullptr) == FROND_OK);
    CHECK(dimension == 0);

    value[3] = 4;
    CHECK(frond_factor(solver.get(), &a) == FROND_SINGULAR_MATRIX);
    CHECK(std::string(frond_status_name(FROND_SINGULAR_MATRIX)) == "singular_matrix");
    CHECK(contains(frond_last_error(), "1 null pivot, columns "));
    REQUIRE(frond_solver_set_option(solver.get(), "null_pivots", "zero") == FROND_OK);
    REQUIRE(frond_factor(solver.get(), &a) == FROND_OK);
    frond_factor_report factors;
    FROND_STRUCT(factors);
    REQUIRE(frond_solver_get_factor_report(solver.get(), &factors) == FROND_OK);
    CHECK(std::string(factors.pivoting) == "threshold");
    for (const int32_t left : {0, 1}) {
        double z[] = {7, 7}, residual = -1;
        REQUIRE(frond_null_space(solver.get(), left, &dimension, z, 0, nullptr) == FROND_OK);
        CHECK(dimension == 1);
        CHECK(z[0] == 7);  // no room was given
        REQUIRE(frond_null_space(solver.get(), left, &dimension, z, 1, &residual) == FROND_OK);
        CHECK(is_near(std::abs(z[0]), 2 / std::sqrt(5.0), rounding_bound<double>(10)));
        CHECK(is_near(z[0], -2 * z[1], rounding_bound<double>(10)));
        CHECK(residual >= 0);
        CHECK(residual <= rounding_bound<double>(4));
    }
    CHECK(frond_null_space(solver.get(), 0, nullptr, nullptr, 0, nullptr) == FROND_INVALID_ARGUMENT);
}

TEST_CASE("progress is reported and may stop the job") {
    const Session session;
    // A 3D grid, large enough for several tasks.
    const int k = 16, n = k * k * k;
    std::vector<int32_t> begin{0}, row;
    std::vector<double> value;
    for (int i = 0; i < n; ++i) {
        row.push_back(i), value.push_back(6.5);
        for (const int step : {1, k, k * k})
            if (i + step < n) row.push_back(i + step), value.push_back(-1);
        begin.push_back(static_cast<int32_t>(row.size()));
    }
    frond_matrix a;
    FROND_STRUCT(a);
    a.symmetry = FROND_SYMMETRIC;
    a.triangle = FROND_LOWER;
    a.rows = a.cols = n;
    a.begin = begin.data();
    a.index = row.data();
    a.value = value.data();
    const Solver solver(session, FROND_DOUBLE);
    double furthest = 0;
    const frond_progress watch = [](double done, double total, double, void* context) {
        *static_cast<double*>(context) = done / total;
        return 0;
    };
    REQUIRE(frond_solver_set_progress(solver.get(), watch, &furthest) == FROND_OK);
    REQUIRE(frond_factor(solver.get(), &a) == FROND_OK);
    CHECK(furthest > 0);  // a call every tenth of a second: the first one at least
    CHECK(furthest <= 1.0 + 1e-12);
    const frond_progress stop = [](double, double, double, void*) { return 1; };
    REQUIRE(frond_solver_set_progress(solver.get(), stop, nullptr) == FROND_OK);
    CHECK(frond_factor(solver.get(), &a) == FROND_CANCELLED);
    REQUIRE(frond_solver_set_progress(solver.get(), nullptr, nullptr) == FROND_OK);
    CHECK(frond_factor(solver.get(), &a) == FROND_OK);
}
