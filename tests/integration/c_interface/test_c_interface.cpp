// SPDX-License-Identifier: BSD-3-Clause
// The C interface from outside: every scalar, index type and format; wrong use of every function.
#include "frond/base/error.hpp"
#include "frond/base/types.hpp"
#include "frond/frond.h"
#include "scalar_lists.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

using frond::test::Scalars;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

class Session {
public:
    Session() { REQUIRE(frond_session_create("cpu_workers=2", &handle_) == FROND_OK); }

    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    ~Session() { frond_session_destroy(handle_); }

    frond_session* get() const { return handle_; }

private:
    frond_session* handle_ = nullptr;
};

class Solver {
public:
    Solver(const Session& session, frond_scalar scalar, const char* options = nullptr) {
        REQUIRE(frond_solver_create(session.get(), scalar, options, &handle_) == FROND_OK);
    }

    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    ~Solver() { frond_solver_destroy(handle_); }

    frond_solver* get() const { return handle_; }

private:
    frond_solver* handle_ = nullptr;
};

template<class T>
constexpr frond_scalar scalar_of() {
    if constexpr (std::is_same_v<T, float>) return FROND_FLOAT;
    if constexpr (std::is_same_v<T, double>) return FROND_DOUBLE;
    if constexpr (std::is_same_v<T, std::complex<float>>) return FROND_COMPLEX_FLOAT;
    return FROND_COMPLEX_DOUBLE;
}

// Tridiagonal, unsymmetric and diagonally dominant: 4 on the diagonal, 1 above, -1 below.
template<class T, class I>
struct Tridiagonal {
    explicit Tridiagonal(I order, frond_format format, I base) : n(order) {
        for (I i = 0; i < n; ++i) {
            begin.push_back(static_cast<I>(index.size()) + base);
            for (I j = std::max<I>(0, i - 1); j < std::min<I>(n, i + 2); ++j) {
                // By rows; by columns the same loop gives the transpose, so swap the signs.
                const double off = (j > i) == (format != FROND_CSC) ? 1 : -1;
                row.push_back(i + base);
                index.push_back(j + base);
                value.push_back(T(static_cast<frond::real_t<T>>(j == i ? 4 : off)));
            }
        }
        begin.push_back(static_cast<I>(index.size()) + base);
        FROND_STRUCT(matrix);
        matrix.format = format;
        matrix.index_bits = 8 * sizeof(I);
        matrix.one_based = base;
        matrix.rows = matrix.cols = n;
        matrix.entries = static_cast<int64_t>(value.size());
        matrix.begin = format == FROND_TRIPLETS ? row.data() : begin.data();
        matrix.index = index.data();
        matrix.value = value.data();
    }

    // b = A x
    std::vector<T> times(const std::vector<T>& x) const {
        std::vector<T> b(x.size());
        for (std::size_t i = 0; i < b.size(); ++i) {
            b[i] = T(4) * x[i];
            if (i > 0) b[i] -= x[i - 1];
            if (i + 1 < b.size()) b[i] += x[i + 1];
        }
        return b;
    }

    I n;
    std::vector<I> begin, row, index;
    std::vector<T> value;
    frond_matrix matrix;
};

template<class T, class I>
void solve_everything(const Session& session, frond_format format, I base) {
    CAPTURE(static_cast<int>(format));
    CAPTURE(base);
    const Tridiagonal<T, I> a(50, format, base);
    std::vector<T> known(50);
    for (std::size_t i = 0; i < known.size(); ++i)
        known[i] = T(static_cast<frond::real_t<T>>(1 + i % 7));
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

Tridiagonal<double, int32_t> small_matrix() {
    return Tridiagonal<double, int32_t>(6, FROND_CSR, 0);
}

} // namespace

TEST_CASE_TEMPLATE_DEFINE("every format, index type and base", T, every_format) {
    const Session session;
    for (const frond_format format : {FROND_CSC, FROND_CSR, FROND_TRIPLETS}) {
        solve_everything<T, int32_t>(session, format, 0);
        solve_everything<T, int32_t>(session, format, 1);
        solve_everything<T, int64_t>(session, format, 0);
    }
}

TEST_CASE_TEMPLATE_APPLY(every_format, Scalars);

TEST_CASE("status codes mirror the error codes") {
    for (int code = 0; code <= static_cast<int>(frond::ErrorCode::cancelled); ++code)
        CHECK(std::string(frond_status_name(static_cast<frond_status>(code + 1))) ==
              frond::to_string(static_cast<frond::ErrorCode>(code)));
    CHECK(std::string(frond_status_name(FROND_OK)) == "ok");
    CHECK(std::string(frond_status_name(static_cast<frond_status>(99))) == "unknown");
    CHECK(std::string(frond_version()) == FROND_VERSION_TEXT);
}

TEST_CASE("reports") {
    const Session session;
    frond_session_info info;
    FROND_STRUCT(info);
    REQUIRE(frond_session_get_info(session.get(), &info) == FROND_OK);
    CHECK(info.cpu_workers >= 1);
    CHECK(info.mpi_ranks == 1);
    CHECK(contains(info.blas, "OpenBLAS"));

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
    double log_abs = 0, phase[2] = {0, 0};
    REQUIRE(frond_log_determinant(solver.get(), &log_abs, phase) == FROND_OK);
    CHECK(log_abs == doctest::Approx(std::log(3.0)));
    CHECK(phase[0] == doctest::Approx(-1));
    CHECK(phase[1] == 0);
    REQUIRE(frond_solve(solver.get(), 1, b, 2, x, 2) == FROND_OK);
    CHECK(x[0] == doctest::Approx(1));
    CHECK(x[1] == doctest::Approx(1));
}

TEST_CASE("a structure of another version gets what it has room for") {
    const Session session;

    struct Short {
        size_t struct_bytes;
        int32_t owns_starpu, guard;
    } older{offsetof(Short, guard), 7, 42};

    frond_session_info newer_view;
    REQUIRE(frond_session_get_info(session.get(), reinterpret_cast<frond_session_info*>(&older)) ==
            FROND_OK);
    CHECK(older.owns_starpu == 1);
    CHECK(older.guard == 42);
    CHECK(older.struct_bytes == offsetof(Short, guard));
    newer_view.struct_bytes = 0; // forgotten
    CHECK(frond_session_get_info(session.get(), &newer_view) == FROND_INVALID_ARGUMENT);
    CHECK(contains(frond_last_error(), "FROND_STRUCT"));
}

TEST_CASE("options as text") {
    const Session session;
    frond_solver* none = nullptr;
    CHECK(frond_solver_create(session.get(), FROND_DOUBLE, "ordering=mets", &none) ==
          FROND_INVALID_ARGUMENT);
    CHECK(none == nullptr);
    CHECK(contains(frond_last_error(), "did you mean 'metis'?"));
    CHECK(frond_solver_create(session.get(), FROND_DOUBLE, "cpu_workers=2", &none) ==
          FROND_INVALID_ARGUMENT);
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

TEST_CASE("misuse is told and breaks nothing") {
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
    CHECK(frond_solver_create(session.get(), static_cast<frond_scalar>('q'), nullptr, &none) ==
          FROND_INVALID_ARGUMENT);
    frond_session_destroy(nullptr);
    frond_solver_destroy(nullptr);

    auto a = small_matrix();
    for (int32_t frond_matrix::*field : {&frond_matrix::format, &frond_matrix::symmetry,
                                         &frond_matrix::triangle, &frond_matrix::index_bits}) {
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
    CHECK(frond_solve(solver.get(), 1, b.data(), 3, x, 6) == FROND_INVALID_ARGUMENT); // ldb < n
    CHECK(frond_solve(solver.get(), -1, b.data(), 6, x, 6) == FROND_INVALID_ARGUMENT);
    REQUIRE(frond_solve(solver.get(), 1, b.data(), 6, x, 6) == FROND_OK);
    CHECK(x[5] == doctest::Approx(1));
}

TEST_CASE("singular is an outcome, too little memory a failure") {
    const Session session;
    const int32_t row[] = {0, 0, 1, 1}, column[] = {0, 1, 0, 1};
    const double value[] = {1, 2, 2, 4};
    frond_matrix a;
    FROND_STRUCT(a);
    a.format = FROND_TRIPLETS;
    a.rows = a.cols = 2;
    a.entries = 4;
    a.begin = row;
    a.index = column;
    a.value = value;
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

TEST_CASE("the last error belongs to its thread") {
    CHECK(frond_session_create("nonsense", nullptr) == FROND_INVALID_ARGUMENT);
    const std::string here = frond_last_error();
    CHECK(!here.empty());
    std::thread([] { CHECK(std::string(frond_last_error()).empty()); }).join();
    CHECK(here == frond_last_error());
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
    CHECK(furthest > 0); // a call every tenth of a second: the first one at least
    CHECK(furthest <= 1.0 + 1e-12);
    const frond_progress stop = [](double, double, double, void*) { return 1; };
    REQUIRE(frond_solver_set_progress(solver.get(), stop, nullptr) == FROND_OK);
    CHECK(frond_factor(solver.get(), &a) == FROND_CANCELLED);
    REQUIRE(frond_solver_set_progress(solver.get(), nullptr, nullptr) == FROND_OK);
    CHECK(frond_factor(solver.get(), &a) == FROND_OK);
}
