// SPDX-License-Identifier: BSD-3-Clause
// The C interface: matrices from files, an order of one's own, errors of each right-hand side.
#include "c_handles.hpp"
#include "temporary_file.hpp"
#include "tolerance.hpp"

#include <cmath>
#include <limits>
#include <numeric>

using namespace frond::test;
using namespace frond::test::c;

namespace {

class FileMatrix {
public:
    explicit FileMatrix(const std::string& path) {
        FROND_STRUCT(matrix);
        REQUIRE(frond_matrix_file_read(path.c_str(), &file_, &scalar, &matrix) == FROND_OK);
    }

    FileMatrix(const FileMatrix&) = delete;
    FileMatrix& operator=(const FileMatrix&) = delete;

    ~FileMatrix() { frond_matrix_file_destroy(file_); }

    frond_matrix matrix;
    frond_scalar scalar = FROND_FLOAT;

private:
    frond_matrix_file* file_ = nullptr;
};

frond_factor_report factor_report(const Solver& solver) {
    frond_factor_report report;
    FROND_STRUCT(report);
    REQUIRE(frond_solver_get_factor_report(solver.get(), &report) == FROND_OK);
    return report;
}

std::string data(const char* name) { return std::string(FROND_TEST_DATA) + "/" + name; }

}  // namespace

TEST_CASE("a file is read, analysed, factored and solved") {
    const Session session;
    for (const char* name : {"494_bus.mtx.gz", "west0067.mtx.gz", "young4c.mtx.gz", "rutherford_boeing/lfat5.rsa"}) {
        CAPTURE(name);
        const FileMatrix a(data(name));
        CHECK((a.scalar == FROND_COMPLEX_DOUBLE) == contains(name, "young4c"));
        if (a.scalar == FROND_COMPLEX_DOUBLE && !FROND_SCALAR_Z) continue;
        const Solver solver(session, a.scalar);
        REQUIRE(frond_analyze(solver.get(), &a.matrix) == FROND_OK);
        REQUIRE(frond_factor(solver.get(), &a.matrix) == FROND_OK);
        std::vector<double> b(static_cast<std::size_t>(2 * a.matrix.rows), 1.0);
        REQUIRE(frond_solve(solver.get(), 1, b.data(), 0, b.data(), 0) == FROND_OK);
        frond_solve_report report;
        FROND_STRUCT(report);
        REQUIRE(frond_solver_get_solve_report(solver.get(), &report) == FROND_OK);
        CHECK(report.converged);
    }
    const FileMatrix symmetric(data("494_bus.mtx.gz"));
    CHECK(symmetric.matrix.symmetry == FROND_SYMMETRIC);
    CHECK(symmetric.matrix.triangle == FROND_LOWER);
    CHECK(symmetric.matrix.entries == 1080);
}

TEST_CASE("a file that cannot be read is an error") {
    frond_matrix_file* file = nullptr;
    frond_scalar scalar = FROND_DOUBLE;
    frond_matrix matrix;
    FROND_STRUCT(matrix);
    CHECK(frond_matrix_file_read("/no/such.mtx", &file, &scalar, &matrix) != FROND_OK);
    CHECK(contains(frond_last_error(), "/no/such.mtx"));
    const std::string broken = data("malformed/column_zero.mtx");
    CHECK(frond_matrix_file_read(broken.c_str(), &file, &scalar, &matrix) == FROND_INVALID_MATRIX);
    CHECK(file == nullptr);
    CHECK(frond_matrix_file_read(nullptr, &file, &scalar, &matrix) == FROND_INVALID_ARGUMENT);
    matrix.struct_bytes = 0;  // forgotten: nothing may be left behind
    CHECK(frond_matrix_file_read(data("LFAT5.mtx").c_str(), &file, &scalar, &matrix) == FROND_INVALID_ARGUMENT);
    CHECK(file == nullptr);
    frond_matrix_file_destroy(nullptr);
}

TEST_CASE("an order of the caller") {
    const Session session;
    const auto a = small_matrix();
    const Solver solver(session, FROND_DOUBLE);
    std::vector<int64_t> order(6);
    std::iota(order.rbegin(), order.rend(), 0);
    REQUIRE(frond_solver_set_user_order(solver.get(), order.data(), 6) == FROND_OK);
    REQUIRE(frond_analyze(solver.get(), &a.matrix) == FROND_OK);
    frond_analysis_report report;
    FROND_STRUCT(report);
    REQUIRE(frond_solver_get_analysis_report(solver.get(), &report) == FROND_OK);
    CHECK(std::string(report.ordering) == "user");
    REQUIRE(frond_factor(solver.get(), &a.matrix) == FROND_OK);

    order[2] = order[1];  // the analysis finds it
    REQUIRE(frond_solver_set_user_order(solver.get(), order.data(), 6) == FROND_OK);
    CHECK(frond_analyze(solver.get(), &a.matrix) == FROND_INVALID_ARGUMENT);
    order[2] = 6;
    CHECK(frond_solver_set_user_order(solver.get(), order.data(), 6) == FROND_INVALID_ARGUMENT);
    CHECK(contains(frond_last_error(), "order[2] = 6"));
    CHECK(frond_solver_set_user_order(solver.get(), nullptr, 6) == FROND_INVALID_ARGUMENT);
    CHECK(frond_solver_set_user_order(solver.get(), order.data(), -1) == FROND_INVALID_ARGUMENT);
}

TEST_CASE("null rows and the bound of null pivots") {
    const TemporaryFile singular(".mtx",
                                 "%%MatrixMarket matrix coordinate real general\n"
                                 "4 4 3\n1 1 1\n3 2 2\n4 3 3\n");
    const Session session;
    const FileMatrix a(singular.path());
    const Solver solver(session, FROND_DOUBLE);
    REQUIRE(frond_factor(solver.get(), &a.matrix) == FROND_OK);
    const frond_factor_report report = factor_report(solver);
    CHECK(report.status == FROND_FACTOR_SINGULAR);
    REQUIRE(report.small_pivots == 1);
    REQUIRE(report.null_rows == 1);
    CHECK(report.null_pivot > 0);
    CHECK(report.repeated_for_rank == 0);
    int64_t column = -1, row = -1;
    CHECK(frond_small_pivots(solver.get(), &column, 1) == FROND_OK);
    CHECK(frond_null_rows(solver.get(), &row, 1) == FROND_OK);
    CHECK(column == 3);
    CHECK(row == 1);
    CHECK(frond_null_rows(solver.get(), nullptr, 0) == FROND_OK);
    CHECK(frond_null_rows(solver.get(), nullptr, 1) == FROND_INVALID_ARGUMENT);
}

TEST_CASE("errors of each right-hand side") {
    const Session session;
    const auto a = small_matrix();
    const Solver solver(session, FROND_DOUBLE);
    double backward[4] = {7, 7, 7, 7}, componentwise[3] = {7, 7, 7}, forward[3] = {7, 7, 7};
    CHECK(frond_solve_errors(solver.get(), backward, componentwise, nullptr, 3) == FROND_INVALID_ARGUMENT);
    REQUIRE(frond_factor(solver.get(), &a.matrix) == FROND_OK);
    std::vector<double> x(18);
    std::iota(x.begin(), x.end(), 1.0);
    std::fill_n(x.begin() + 6, 6, 0.0);  // B's second column is 0 and solved exactly
    REQUIRE(frond_solve(solver.get(), 3, x.data(), 6, x.data(), 6) == FROND_OK);
    CHECK(frond_solve_errors(solver.get(), nullptr, nullptr, forward, 3) == FROND_INVALID_ARGUMENT);
    REQUIRE(frond_solve_errors(solver.get(), backward, componentwise, nullptr, 4) == FROND_OK);
    frond_solve_report report;
    FROND_STRUCT(report);
    REQUIRE(frond_solver_get_solve_report(solver.get(), &report) == FROND_OK);
    CHECK(report.backward_error == std::max({backward[0], backward[1], backward[2]}));
    CHECK(report.componentwise_backward_error == std::max({componentwise[0], componentwise[1], componentwise[2]}));
    CHECK(backward[1] == 0);
    CHECK(backward[3] == 7);  // there are three
    REQUIRE(frond_solver_set_option(solver.get(), "forward_error", "on") == FROND_OK);
    REQUIRE(frond_solve(solver.get(), 3, x.data(), 6, x.data(), 6) == FROND_OK);
    REQUIRE(frond_solve_errors(solver.get(), nullptr, nullptr, forward, 2) == FROND_OK);
    CHECK(forward[0] < 3 * rounding_bound<double>(40));  // condition number below 3
    CHECK(forward[2] == 7);  // no room was given
}

TEST_CASE("a request to cancel holds until it is taken back") {
    const Session session;
    const auto a = small_matrix();
    const Solver solver(session, FROND_DOUBLE);
    double x[6] = {1, 2, 3, 4, 5, 6};
    REQUIRE(frond_solver_cancel(solver.get(), 1) == FROND_OK);
    CHECK(frond_factor(solver.get(), &a.matrix) == FROND_CANCELLED);
    REQUIRE(frond_solver_cancel(solver.get(), 0) == FROND_OK);
    REQUIRE(frond_factor(solver.get(), &a.matrix) == FROND_OK);
    REQUIRE(frond_solver_cancel(solver.get(), 1) == FROND_OK);
    CHECK(frond_solve(solver.get(), 1, x, 6, x, 6) == FROND_CANCELLED);
    CHECK(frond_condition_estimate(solver.get(), nullptr, nullptr, nullptr) == FROND_CANCELLED);
    REQUIRE(frond_solver_cancel(solver.get(), 0) == FROND_OK);
    CHECK(frond_solve(solver.get(), 1, x, 6, x, 6) == FROND_OK);
    CHECK(frond_solver_cancel(nullptr, 1) == FROND_INVALID_ARGUMENT);
}
