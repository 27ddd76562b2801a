// SPDX-License-Identifier: BSD-3-Clause
// The C interface on several ranks.
#include "needs_ranks.hpp"
#include "some_ranks.hpp"
#include "temporary_file.hpp"
#include "watchdog.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace frond::test;

namespace {

/// The tolerance for a system whose condition is 5 at most.
constexpr double rounding = 50 * std::numeric_limits<double>::epsilon();

/// Rows of tridiag(-1, 3, -1), of which this rank has every size-th.
struct Tridiagonal {
    std::vector<int64_t> row, begin{0}, column;
    std::vector<double> value, b;

    Tridiagonal(int64_t n, const SomeRanks& ranks) {
        for (int64_t i = ranks.rank(); i < n; i += ranks.size()) {
            row.push_back(i);
            b.push_back(i == 0 || i == n - 1 ? 2 : 1);  // A (1, ..., 1)
            for (int64_t j = std::max<int64_t>(i - 1, 0); j <= std::min(i + 1, n - 1); ++j) {
                column.push_back(j);
                value.push_back(i == j ? 3 : -1);
            }
            begin.push_back(static_cast<int64_t>(column.size()));
        }
    }

    frond_matrix matrix(int64_t n) const {
        frond_matrix a;
        FROND_STRUCT(a);
        a.format = FROND_ROWS;
        a.symmetry = FROND_SYMMETRIC;
        a.index_bits = 64;
        a.rows = a.cols = n;
        a.given_rows = static_cast<int64_t>(row.size());
        a.row = row.data();
        a.begin = begin.data();
        a.index = column.data();
        a.value = value.data();
        return a;
    }
};

/// log of the determinant of tridiag(-1, 3, -1), by the ratios of its leading minors.
double log_of_minors(int64_t n) {
    double log = 0, ratio = 3;
    for (int64_t i = 0; i < n; ++i, ratio = 3 - 1 / ratio) log += std::log(ratio);
    return log;
}

/// A session with one worker on each rank, and a solver.
struct Handles {
    frond_session* session = nullptr;
    frond_solver* solver = nullptr;

    explicit Handles(const SomeRanks& ranks) {
        REQUIRE(frond_session_create_mpi("cpu_workers=1", *ranks.communicator(), &session) == FROND_OK);
        REQUIRE(frond_solver_create(session, FROND_DOUBLE, "", &solver) == FROND_OK);
    }
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;
    ~Handles() {
        frond_solver_destroy(solver);
        frond_session_destroy(session);
    }
};

std::string path_of_rank_0(const SomeRanks& ranks, const std::string& mine) {
    std::vector<char> path(4096, '\0');
    mine.copy(path.data(), path.size() - 1);
    MPI_Bcast(path.data(), static_cast<int>(path.size()), MPI_CHAR, 0, *ranks.communicator());
    return path.data();
}

}  // namespace

TEST_CASE("rows of a matrix and of vectors in C") {
    on_some_ranks([](const SomeRanks& ranks) {
        constexpr int64_t n = 50;
        const Tridiagonal own(n, ranks);
        frond_session* session = nullptr;
        frond_solver* solver = nullptr;
        REQUIRE(frond_session_create_mpi("cpu_workers=1", *ranks.communicator(), &session) == FROND_OK);
        frond_session_info info;
        FROND_STRUCT(info);
        CHECK(frond_session_get_info(session, &info) == FROND_OK);
        CHECK(info.mpi_ranks == ranks.size());
        CHECK(info.mpi_rank == ranks.rank());
        REQUIRE(frond_solver_create(session, FROND_DOUBLE, "", &solver) == FROND_OK);
        const frond_matrix a = own.matrix(n);
        CHECK(frond_factor(solver, &a) == FROND_OK);

        std::vector<double> x(own.row.size()), given = own.b;
        frond_block_rows b_rows, x_rows;
        FROND_STRUCT(b_rows);
        FROND_STRUCT(x_rows);
        b_rows.rows = x_rows.rows = static_cast<int64_t>(own.row.size());
        b_rows.row = x_rows.row = own.row.data();
        b_rows.data = given.data();
        x_rows.data = x.data();
        CHECK(frond_solve_rows(solver, 1, &b_rows, &x_rows) == FROND_OK);
        for (const double v : x) CHECK(std::abs(v - 1) < rounding);

        // Whole vectors on rank 0.
        std::vector<double> all_b(n, 1), all_x(n);
        all_b.front() = all_b.back() = 2;
        const bool leads = ranks.rank() == 0;
        CHECK(frond_solve(solver, 1, leads ? all_b.data() : nullptr, n, leads ? all_x.data() : nullptr, n) == FROND_OK);
        for (const double v : all_x)
            if (leads) CHECK(std::abs(v - 1) < rounding);
        frond_solve_report report;
        FROND_STRUCT(report);
        CHECK(frond_solver_get_solve_report(solver, &report) == FROND_OK);
        CHECK(report.converged == 1);
        frond_factor_report factors;
        FROND_STRUCT(factors);
        CHECK(frond_solver_get_factor_report(solver, &factors) == FROND_OK);
        CHECK(factors.positive == n);
        double log_abs = 0, phase[2] = {0, 0};
        CHECK(frond_log_determinant(solver, &log_abs, phase) == FROND_OK);
        CHECK(std::abs(log_abs - log_of_minors(n)) < n * rounding);
        CHECK(phase[0] == 1);

        // Row 3 is given by no rank.
        frond_matrix missing = a;
        std::vector<int64_t> rows = own.row;
        for (int64_t& row : rows)
            if (row == 3) row = 4;
        missing.row = rows.data();
        CHECK(frond_factor(solver, &missing) == FROND_INVALID_ARGUMENT);
        CHECK(std::string(frond_last_error()).find("row ") != std::string::npos);
        frond_solver_destroy(solver);
        frond_session_destroy(session);
    });
}

TEST_CASE("rows of a dense matrix in C") {
    on_some_ranks([](const SomeRanks& ranks) {
        constexpr int32_t n = 40;
        std::vector<int32_t> row;
        for (int32_t i = ranks.rank(); i < n; i += ranks.size()) row.push_back(i);
        std::vector<double> value;
        for (int32_t j = 0; j < n; ++j)
            for (const int32_t i : row) value.push_back(i == j ? 3 : std::abs(i - j) == 1 ? -1 : 0);
        frond_session* session = nullptr;
        frond_solver* solver = nullptr;
        REQUIRE(frond_session_create_mpi("cpu_workers=1", *ranks.communicator(), &session) == FROND_OK);
        REQUIRE(frond_solver_create(session, FROND_DOUBLE, "", &solver) == FROND_OK);
        frond_dense_matrix a;
        FROND_STRUCT(a);
        a.order = n;
        a.value = value.data();
        a.row_map = row.data();
        a.rows = static_cast<int64_t>(row.size());
        CHECK(frond_factor_dense(solver, &a) == FROND_OK);
        std::vector<double> b(n, 1), x(n);
        b.front() = b.back() = 2;
        const bool leads = ranks.rank() == 0;
        CHECK(frond_solve(solver, 1, leads ? b.data() : nullptr, n, leads ? x.data() : nullptr, n) == FROND_OK);
        for (const double v : x)
            if (leads) CHECK(std::abs(v - 1) < rounding);

        a.rows -= ranks.rank() == ranks.last() ? 1 : 0;  // its last row is missing
        CHECK(frond_factor_dense(solver, &a) == FROND_INVALID_ARGUMENT);
        CHECK(std::string(frond_last_error()).find("is with no rank") != std::string::npos);
        frond_solver_destroy(solver);
        frond_session_destroy(session);
    });
}

TEST_CASE("an analysis in a file that one rank cannot read, in C") {
    const Watchdog watchdog(60);
    on_some_ranks([](const SomeRanks& ranks) {
        constexpr int64_t n = 50;
        const Tridiagonal own(n, ranks);
        const frond_matrix a = own.matrix(n);
        const Handles c(ranks);
        REQUIRE(frond_analyze(c.solver, &a) == FROND_OK);
        const TemporaryFile file(".frond");
        CHECK(frond_save_analysis(c.solver, "no_such_folder/x") == FROND_RUNTIME_ERROR);
        CHECK(is_same_everywhere(ranks, frond_last_error()));
        CHECK(frond_save_analysis(c.solver, file.path().c_str()) == FROND_OK);
        const std::string path = path_of_rank_0(ranks, file.path());
        CHECK(frond_load_analysis(c.solver, ranks.rank() == ranks.last() ? "no_such_file" : path.c_str()) ==
              FROND_RUNTIME_ERROR);
        const std::string text = frond_last_error();
        CHECK(is_same_everywhere(ranks, text));
        if (ranks.size() > 1) CHECK(text.starts_with("rank " + std::to_string(ranks.last()) + ": "));
        CHECK(frond_factor(c.solver, &a) == FROND_OK);  // with the analysis from before
        CHECK(frond_load_analysis(c.solver, path.c_str()) == FROND_OK);
        CHECK(frond_factor(c.solver, &a) == FROND_OK);
    });
}

TEST_CASE("what one rank gives wrong in C is an error of all ranks") {
    const Watchdog watchdog(60);
    on_some_ranks([](const SomeRanks& ranks) {
        constexpr int64_t n = 50;
        const bool is_wrong = ranks.rank() == ranks.last();
        const auto expect_refusal = [&](frond_status status, const char* why) {
            CAPTURE(why);
            CHECK(status == FROND_INVALID_ARGUMENT);
            const std::string text = frond_last_error();
            CHECK(is_same_everywhere(ranks, text));
            CHECK(text.find(why) != std::string::npos);
        };
        frond_session* session = nullptr;
        expect_refusal(frond_session_create_mpi(is_wrong ? "cpu_workers=many" : "", *ranks.communicator(), &session),
                       "many");
        const Tridiagonal own(n, ranks);
        const Handles c(ranks);
        frond_matrix a = own.matrix(n), wrong = a;
        if (is_wrong) wrong.given_rows = -1;
        expect_refusal(frond_factor(c.solver, &wrong), "given_rows = -1");
        expect_refusal(frond_solver_factor_values(c.solver, nullptr, is_wrong ? -1 : 0), "");
        REQUIRE(frond_factor(c.solver, &a) == FROND_OK);
        expect_refusal(frond_analyze(c.solver, &wrong), "given_rows = -1");
        expect_refusal(frond_analyze(c.solver, is_wrong ? nullptr : &a), "the matrix is NULL");
        expect_refusal(frond_solver_factor_values(c.solver, is_wrong ? nullptr : own.value.data(),
                                                  static_cast<int64_t>(own.value.size())),
                       "values is NULL");
        REQUIRE(frond_factor(c.solver, &a) == FROND_OK);
        std::vector<int64_t> rows = own.row;
        if (is_wrong && !rows.empty()) rows[0] = -1;
        std::vector<double> x(rows.size());
        frond_block_rows block;
        FROND_STRUCT(block);
        block.rows = static_cast<int64_t>(rows.size());
        block.row = rows.data();
        block.data = x.data();
        expect_refusal(frond_solve_rows(c.solver, 1, &block, &block), "a row number = -1");
        expect_refusal(frond_solve(c.solver, is_wrong ? -1 : 1, x.data(), n, x.data(), n), "rhs = -1");
        int64_t dimension = 0;
        expect_refusal(frond_null_space(c.solver, 0, is_wrong ? nullptr : &dimension, nullptr, 0, nullptr),
                       "dimension is NULL");
        double skeel = 0;
        expect_refusal(frond_skeel_condition(c.solver, is_wrong ? nullptr : &skeel, nullptr),
                       "skeel_condition is NULL");
        CHECK(frond_skeel_condition(c.solver, &skeel, nullptr) == FROND_OK);
    });
}

TEST_CASE("ranks that make other calls in C" * doctest::test_suite(needs_several_ranks)) {
    const Watchdog watchdog(60);
    on_some_ranks([](const SomeRanks& ranks) {
        if (ranks.size() == 1) return;
        constexpr int64_t n = 50;
        const bool is_other = ranks.rank() == ranks.last();
        const Tridiagonal own(n, ranks);
        const frond_matrix a = own.matrix(n);
        frond_dense_matrix dense;
        FROND_STRUCT(dense);
        for (const bool is_factored : {false, true}) {
            for (int call = 0; call < 6; ++call) {
                CAPTURE(is_factored);
                CAPTURE(call);
                const Handles c(ranks);
                if (is_factored) REQUIRE(frond_factor(c.solver, &a) == FROND_OK);
                const frond_status status = !is_other   ? frond_factor(c.solver, &a)
                                            : call == 0 ? frond_analyze(c.solver, &a)
                                            : call == 1 ? frond_factor_dense(c.solver, &dense)
                                            : call == 2 ? frond_solve(c.solver, 1, nullptr, n, nullptr, n)
                                            : call == 3 ? frond_save_analysis(c.solver, "no_such_folder/x")
                                            : call == 4 ? frond_load_analysis(c.solver, "no_such_file")
                                                        : frond_condition_estimate(c.solver, nullptr, nullptr, nullptr);
                CHECK(status != FROND_OK);
                CHECK(is_same_everywhere(ranks, frond_last_error()));
                CHECK(frond_factor(c.solver, &a) == FROND_OK);
            }
        }
    });
}

TEST_CASE("a communicator that is missing, and a null pointer to one") {
    frond_session* session = nullptr;
    CHECK(frond_session_create_on("", nullptr, &session) == FROND_INVALID_ARGUMENT);
    CHECK(session == nullptr);
    CHECK(frond_session_create_mpi("", MPI_COMM_NULL, &session) == FROND_RUNTIME_ERROR);
    CHECK(std::string(frond_last_error()).find("MPI_COMM_NULL") != std::string::npos);
}
