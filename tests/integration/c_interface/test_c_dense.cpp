// SPDX-License-Identifier: BSD-3-Clause
// Dense matrices through the C interface.
#include "c_handles.hpp"
#include "scalar_lists.hpp"
#include "tolerance.hpp"

using namespace frond::test::c;
using frond::test::is_near;
using frond::test::rounding_bound;
using frond::test::Scalars;

TEST_CASE_TEMPLATE_DEFINE("a dense matrix with a leading dimension", T, c_dense) {
    // Rows (4 1), (2 3), and a row that nobody reads: x = (1, 2) for b = (6, 8).
    const T nothing(std::numeric_limits<frond::real_t<T>>::quiet_NaN());
    const std::vector<T> value{T(4), T(2), nothing, T(1), T(3), nothing}, b{T(6), T(8)};
    std::vector<T> x(2);
    const Session session;
    Solver solver(session, scalar_of<T>());
    frond_dense_matrix a;
    FROND_STRUCT(a);
    a.order = 2;
    a.ld = 3;
    a.value = value.data();
    REQUIRE(frond_factor_dense(solver.get(), &a) == FROND_OK);
    REQUIRE(frond_solve(solver.get(), 1, b.data(), 0, x.data(), 0) == FROND_OK);
    CHECK(std::abs(x[0] - T(1)) <= 10 * rounding_bound<T>(2));
    CHECK(std::abs(x[1] - T(2)) <= 10 * rounding_bound<T>(2));
    double log_abs = 0, phase[2] = {0, 0};
    REQUIRE(frond_log_determinant(solver.get(), &log_abs, phase) == FROND_OK);
    CHECK(is_near(log_abs, std::log(10.0), rounding_bound<T>(4)));
    frond_factor_report report;
    FROND_STRUCT(report);
    REQUIRE(frond_solver_get_factor_report(solver.get(), &report) == FROND_OK);
    CHECK(std::string(report.factorization) == "lu");
    CHECK(report.factor_entries == 4);
}
TEST_CASE_TEMPLATE_APPLY(c_dense, Scalars);

TEST_CASE("one triangle of a dense matrix, and what is refused") {
    const double value[] = {2, -1, 77, 2};  // the upper triangle is not read
    const Session session;
    Solver solver(session, FROND_DOUBLE);
    frond_dense_matrix a;
    FROND_STRUCT(a);
    a.order = 2;
    a.value = value;
    a.symmetry = FROND_SYMMETRIC;
    REQUIRE(frond_factor_dense(solver.get(), &a) == FROND_OK);
    frond_factor_report report;
    FROND_STRUCT(report);
    REQUIRE(frond_solver_get_factor_report(solver.get(), &report) == FROND_OK);
    CHECK(std::string(report.factorization) == "llt");
    const double b[] = {1, 1};
    double x[2];
    REQUIRE(frond_solve(solver.get(), 1, b, 0, x, 0) == FROND_OK);
    CHECK(is_near(x[0], 1, rounding_bound<double>(10)));
    CHECK(is_near(x[1], 1, rounding_bound<double>(10)));

    a.ld = 1;
    CHECK(frond_factor_dense(solver.get(), &a) == FROND_INVALID_ARGUMENT);
    CHECK(contains(frond_last_error(), "leading dimension"));
    CHECK(frond_solve(solver.get(), 1, b, 0, x, 0) == FROND_INVALID_ARGUMENT);  // the factors are gone
    a.ld = 0;
    a.process_columns = 2;
    CHECK(frond_factor_dense(solver.get(), &a) == FROND_INVALID_ARGUMENT);
    CHECK(contains(frond_last_error(), "2 ranks"));
    a.struct_bytes = 4;
    CHECK(frond_factor_dense(solver.get(), &a) == FROND_INVALID_ARGUMENT);
    CHECK(frond_factor_dense(solver.get(), nullptr) == FROND_INVALID_ARGUMENT);
    CHECK(frond_factor_dense(nullptr, &a) == FROND_INVALID_ARGUMENT);
}
