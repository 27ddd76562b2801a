// SPDX-License-Identifier: BSD-3-Clause
// Analyses in files, from C.
#include "c_handles.hpp"
#include "temporary_file.hpp"

using namespace frond::test;
using namespace frond::test::c;

TEST_CASE("an analysis goes from one solver to another") {
    const Session session;
    const Tridiagonal<double, int32_t> a(50, FROND_CSC, 0);
    const TemporaryFile file(".frond");
    const Solver first(session, FROND_DOUBLE, "ordering=amd"), second(session, FROND_DOUBLE);
    CHECK(frond_save_analysis(first.get(), file.path().c_str()) == FROND_INVALID_ARGUMENT);
    CHECK(contains(frond_last_error(), "frond_analyze"));
    REQUIRE(frond_analyze(first.get(), &a.matrix) == FROND_OK);
    REQUIRE(frond_save_analysis(first.get(), file.path().c_str()) == FROND_OK);
    REQUIRE(frond_load_analysis(second.get(), file.path().c_str()) == FROND_OK);

    char ordering[32];
    REQUIRE(frond_solver_get_option(second.get(), "ordering", ordering, sizeof ordering) == FROND_OK);
    CHECK(std::string(ordering) == "amd");
    frond_analysis_report report;
    FROND_STRUCT(report);
    REQUIRE(frond_solver_get_analysis_report(second.get(), &report) == FROND_OK);
    CHECK(report.order == 50);
    CHECK(frond_solve(second.get(), 0, nullptr, 0, nullptr, 0) == FROND_INVALID_ARGUMENT);

    const std::vector<double> b(50, 1.0);
    std::vector<double> x(50), y(50);
    for (const auto& [solver, solution] : {std::pair{first.get(), &x}, {second.get(), &y}}) {
        REQUIRE(frond_factor(solver, &a.matrix) == FROND_OK);
        REQUIRE(frond_solve(solver, 1, b.data(), 50, solution->data(), 50) == FROND_OK);
    }
    CHECK(x == y);
}

TEST_CASE("a file that does not do leaves the solver as it was") {
    const Session session;
    const auto a = small_matrix();
    const Solver solver(session, FROND_DOUBLE);
    REQUIRE(frond_factor(solver.get(), &a.matrix) == FROND_OK);
    const TemporaryFile file(".frond", "something else");
    CHECK(frond_load_analysis(solver.get(), file.path().c_str()) == FROND_INVALID_ARGUMENT);
    CHECK(contains(frond_last_error(), file.path()));
    CHECK(frond_load_analysis(solver.get(), "no_such_file") == FROND_RUNTIME_ERROR);
    CHECK(frond_load_analysis(solver.get(), nullptr) == FROND_INVALID_ARGUMENT);
    CHECK(frond_save_analysis(solver.get(), nullptr) == FROND_INVALID_ARGUMENT);
    CHECK(frond_save_analysis(solver.get(), "no_such_folder/x") == FROND_RUNTIME_ERROR);
    std::vector<double> x(6, 1.0);
    CHECK(frond_solve(solver.get(), 1, x.data(), 6, x.data(), 6) == FROND_OK);
}
