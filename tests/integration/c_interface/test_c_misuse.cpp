// SPDX-License-Identifier: BSD-3-Clause
// The C interface used wrongly, by another version, or from several threads.
#include "c_handles.hpp"
#include "child_process.hpp"
#include "frond/base/error.hpp"
#include "tolerance.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <thread>

using namespace frond::test::c;

TEST_CASE("status codes mirror the error codes") {
    for (int code = 0; code <= static_cast<int>(frond::ErrorCode::cancelled); ++code)
        CHECK(std::string(frond_status_name(static_cast<frond_status>(code + 1))) ==
              frond::to_string(static_cast<frond::ErrorCode>(code)));
    CHECK(std::string(frond_status_name(FROND_OK)) == "ok");
    CHECK(std::string(frond_status_name(static_cast<frond_status>(99))) == "unknown");
    CHECK(std::string(frond_version()) == FROND_VERSION_TEXT);
}

TEST_CASE("a structure of another version gets what it has room for") {
    const Session session;

    struct Short {
        size_t struct_bytes;
        int32_t owns_starpu, guard;
    } older{offsetof(Short, guard), 7, 42};

    frond_session_info newer_view;
    REQUIRE(frond_session_get_info(session.get(), reinterpret_cast<frond_session_info*>(&older)) == FROND_OK);
    CHECK(older.owns_starpu == 1);
    CHECK(older.guard == 42);
    CHECK(older.struct_bytes == offsetof(Short, guard));
    newer_view.struct_bytes = 0;  // forgotten
    CHECK(frond_session_get_info(session.get(), &newer_view) == FROND_INVALID_ARGUMENT);
    CHECK(contains(frond_last_error(), "FROND_STRUCT"));
}

TEST_CASE("options as text") {
    const Session session;
    frond_solver* none = nullptr;
    CHECK(frond_solver_create(session.get(), FROND_DOUBLE, "ordering=mets", &none) == FROND_INVALID_ARGUMENT);
    CHECK(none == nullptr);
    CHECK(contains(frond_last_error(), "did you mean 'metis'?"));
    CHECK(frond_solver_create(session.get(), FROND_DOUBLE, "cpu_workers=2", &none) == FROND_INVALID_ARGUMENT);
    CHECK(contains(frond_last_error(), "frond_session_create"));
    frond_session* no_session = nullptr;
    CHECK(frond_session_create("ordering=amd", &no_session) == FROND_INVALID_ARGUMENT);

    const Solver solver(session, FROND_DOUBLE, "ordering=amd tile_size=64");
    char value[8];
    REQUIRE(frond_solver_get_option(solver.get(), "ordering", value, sizeof value) == FROND_OK);
    CHECK(std::string(value) == "amd");
    CHECK(frond_solver_get_option(solver.get(), "ordering", value, 3) == FROND_INVALID_ARGUMENT);
    CHECK(frond_solver_set_option(solver.get(), "cpu_workers", "1") == FROND_INVALID_ARGUMENT);
    CHECK(frond_solver_set_option(solver.get(), "no_such", "1") == FROND_INVALID_ARGUMENT);
    REQUIRE(frond_solver_set_option(solver.get(), "ordering", "natural") == FROND_OK);
    const auto a = small_matrix();
    REQUIRE(frond_analyze(solver.get(), &a.matrix) == FROND_OK);
    frond_analysis_report report;
    FROND_STRUCT(report);
    REQUIRE(frond_solver_get_analysis_report(solver.get(), &report) == FROND_OK);
    CHECK(std::string(report.ordering) == "natural");
}

TEST_CASE("options of a session are refused by a solver in every spelling, and by a later session") {
    const Session session;  // with two workers
    const Solver solver(session, FROND_DOUBLE);
    for (const char* name : {"cpu_workers", "cpu-workers", "CPU-Workers"}) {
        CHECK(frond_solver_set_option(solver.get(), name, "3") == FROND_INVALID_ARGUMENT);
        CHECK(contains(frond_last_error(), "frond_session_create"));
    }
    CHECK(frond_solver_set_option(solver.get(), "Tile-Size", "64") == FROND_OK);
    frond_session* other = nullptr;
    CHECK(frond_session_create("cpu-workers=3", &other) == FROND_INVALID_ARGUMENT);
    CHECK(other == nullptr);
    CHECK(contains(frond_last_error(), "cpu_workers = 3"));
    REQUIRE(frond_session_create("cpu-workers=2", &other) == FROND_OK);
    frond_session_info info;
    FROND_STRUCT(info);
    REQUIRE(frond_session_get_info(other, &info) == FROND_OK);
    CHECK(info.worker_binding[0] != '\0');
    frond_session_destroy(other);
}

TEST_CASE("in a child: a C caller under STARPU_NCPU=abc" * doctest::skip()) {
    frond_session* session = nullptr;
    CHECK(frond_session_create(nullptr, &session) == FROND_INVALID_ARGUMENT);
    CHECK(session == nullptr);
    CHECK(contains(frond_last_error(), "STARPU_NCPU = 'abc'"));
}

TEST_CASE("in a child: a C caller without a home" * doctest::skip()) {
    frond_session* session = nullptr;
    CHECK(frond_session_create("cpu_workers=1", &session) == FROND_OK);
    frond_session_destroy(session);
}

TEST_CASE("StarPU's surroundings are an error of the session or do no harm, and never end a C caller") {
    using frond::test::run_case_in_child;
    CHECK(run_case_in_child("in a child: a C caller under STARPU_NCPU=abc", {{"STARPU_NCPU", "abc"}}, 60) == 0);
    CHECK(run_case_in_child("in a child: a C caller without a home", {{"HOME", "/proc"}}, 60) == 0);
}

TEST_CASE("misuse is an error and breaks nothing") {
    const Session session;
    const Solver solver(session, FROND_DOUBLE);
    double x[6] = {0};
    frond_factor_report report;
    FROND_STRUCT(report);
    CHECK(frond_solve(solver.get(), 1, x, 6, x, 6) == FROND_INVALID_ARGUMENT);
    CHECK(contains(frond_last_error(), "frond_factor"));
    CHECK(frond_solver_get_factor_report(solver.get(), &report) == FROND_INVALID_ARGUMENT);
    CHECK(frond_analyze(solver.get(), nullptr) == FROND_INVALID_ARGUMENT);
    CHECK(frond_analyze(nullptr, nullptr) == FROND_INVALID_ARGUMENT);
    CHECK(frond_session_create(nullptr, nullptr) == FROND_INVALID_ARGUMENT);
    frond_solver* none = nullptr;
    CHECK(frond_solver_create(session.get(), static_cast<frond_scalar>('q'), nullptr, &none) == FROND_INVALID_ARGUMENT);
    frond_session_destroy(nullptr);
    frond_solver_destroy(nullptr);

    auto a = small_matrix();
    for (int32_t frond_matrix::*field :
         {&frond_matrix::format, &frond_matrix::symmetry, &frond_matrix::triangle, &frond_matrix::index_bits}) {
        frond_matrix wrong = a.matrix;
        wrong.*field = 77;
        CHECK(frond_analyze(solver.get(), &wrong) == FROND_INVALID_ARGUMENT);
        CHECK(contains(frond_last_error(), "77"));
    }
    frond_matrix wrong = a.matrix;
    wrong.rows = int64_t(1) << 40;
    CHECK(frond_analyze(solver.get(), &wrong) == FROND_INVALID_ARGUMENT);
    wrong = a.matrix;
    wrong.struct_bytes = 0;
    CHECK(frond_analyze(solver.get(), &wrong) == FROND_INVALID_ARGUMENT);

    a.index[3] = 99;
    CHECK(frond_analyze(solver.get(), &a.matrix) == FROND_INVALID_MATRIX);
    CHECK(!std::string(frond_last_error()).empty());

    // And afterwards it works.
    const auto good = small_matrix();
    const std::vector<double> b = good.times(std::vector<double>(6, 1.0));
    REQUIRE(frond_factor(solver.get(), &good.matrix) == FROND_OK);
    CHECK(frond_solve(solver.get(), 1, b.data(), 3, x, 6) == FROND_INVALID_ARGUMENT);  // ldb < n
    CHECK(frond_solve(solver.get(), -1, b.data(), 6, x, 6) == FROND_INVALID_ARGUMENT);
    std::vector<double> no_numbers(6, 1.0);
    no_numbers[4] = std::numeric_limits<double>::quiet_NaN();
    CHECK(frond_solve(solver.get(), 1, no_numbers.data(), 6, x, 6) == FROND_INVALID_ARGUMENT);
    CHECK(std::string(frond_last_error()).find("entry (4, 0) of B is NaN") != std::string::npos);
    REQUIRE(frond_solve(solver.get(), 1, b.data(), 6, x, 6) == FROND_OK);
    CHECK(is_near(x[5], 1, 3 * rounding_bound<double>(10)));  // condition at most 3: 4 against 1 and -1
}

TEST_CASE("messages of misuse say what to do, in words and not in source text") {
    const Session session;
    const Solver solver(session, FROND_DOUBLE);
    const auto good = small_matrix();
    REQUIRE(frond_factor(solver.get(), &good.matrix) == FROND_OK);
    const std::vector<double> b = good.times(std::vector<double>(6, 1.0));
    double x[6];
    char value[2];
    frond_solve_report report;
    FROND_STRUCT(report);
    const int64_t order[6] = {0, 1, 2, 3, 4, 77};
    const auto check_refusal = [](frond_status status) {
        const std::string message = frond_last_error();
        CAPTURE(message);
        CHECK(status == FROND_INVALID_ARGUMENT);
        CHECK_FALSE(contains(message, "required:"));
        CHECK((contains(message, "; ") || contains(message, ": ")));
    };
    check_refusal(frond_analyze(nullptr, nullptr));
    check_refusal(frond_solver_set_option(solver.get(), "cpu_workers", "1"));
    check_refusal(frond_solver_get_option(solver.get(), "ordering", value, sizeof value));
    check_refusal(frond_solver_set_user_order(solver.get(), order, 6));
    check_refusal(frond_solver_set_user_order(solver.get(), order, -1));
    check_refusal(frond_solver_get_solve_report(solver.get(), &report));
    check_refusal(frond_solve(solver.get(), -1, b.data(), 6, x, 6));
    check_refusal(frond_solve(solver.get(), 1, b.data(), 3, x, 6));
    check_refusal(frond_solver_factor_values(solver.get(), good.matrix.value, -1));
    for (int32_t frond_matrix::*field :
         {&frond_matrix::format, &frond_matrix::symmetry, &frond_matrix::triangle, &frond_matrix::index_bits}) {
        frond_matrix wrong = good.matrix;
        wrong.*field = 77;
        check_refusal(frond_analyze(solver.get(), &wrong));
    }
    frond_matrix wrong = good.matrix;
    wrong.rows = int64_t(1) << 40;
    check_refusal(frond_analyze(solver.get(), &wrong));
}

TEST_CASE("the last error belongs to its thread") {
    CHECK(frond_session_create("nonsense", nullptr) == FROND_INVALID_ARGUMENT);
    const std::string here = frond_last_error();
    CHECK(!here.empty());
    std::thread([] { CHECK(std::string(frond_last_error()).empty()); }).join();
    CHECK(here == frond_last_error());
}
