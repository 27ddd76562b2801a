// SPDX-License-Identifier: BSD-3-Clause
// Matrices at the edge of what is a system of equations: each has a defined outcome.
#include "frond/frond.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
constexpr real_t<T> not_a_number = std::numeric_limits<real_t<T>>::quiet_NaN();

template <class T>
SparseMatrix<T> diagonal_matrix(const std::vector<T>& d, Symmetry symmetry) {
    EntryTable<T> table;
    for (std::size_t i = 0; i < d.size(); ++i) table[{static_cast<index_t>(i), static_cast<index_t>(i)}] = d[i];
    return from_table(static_cast<index_t>(d.size()), table, symmetry);
}

template <class T>
SparseMatrix<T> with_entry(SparseMatrix<T> a, std::size_t e, T value) {
    a.value[e] = value;
    return a;
}

template <class Solve>
std::string refusal_of(const Solve& solve) {
    try {
        return std::string("no error, ") + to_string(solve().status);
    } catch (const InvalidArgument& error) {
        return error.what();
    }
}

bool finite(const std::vector<double>& errors) {
    for (const double e : errors)
        if (!std::isfinite(e)) return false;
    return true;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("order 0", T, order_zero) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
        const SparseMatrix<T> a = from_table(0, EntryTable<T>{}, symmetry);
        Solver<T> solver(shared_session());
        CHECK(solver.factor(a).status == FactorStatus::success);
        const SolveReport report = solver.solve({nullptr, 0, 3}, {nullptr, 0, 3});
        CHECK(report.status == SolveStatus::converged);
        CHECK(report.rhs == 3);
        CHECK(report.backward_error == 0);
    }
}
TEST_CASE_TEMPLATE_APPLY(order_zero, Scalars);

TEST_CASE_TEMPLATE_DEFINE("order 1, diagonal matrices, no right-hand side", T, diagonals) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric})
        for (const std::size_t n : {std::size_t{1}, std::size_t{50}}) {
            std::vector<T> d(n), b(n), x(n);
            for (std::size_t i = 0; i < n; ++i) {
                d[i] = T(i % 3 == 1 ? -2 : 4);
                b[i] = T(static_cast<real_t<T>>(i + 1));
            }
            Solver<T> solver(shared_session());
            CHECK(solver.factor(diagonal_matrix(d, symmetry)).status == FactorStatus::success);
            const auto rows = static_cast<count_t>(n);
            const SolveReport report = solver.solve({b.data(), rows}, {x.data(), rows});
            CHECK(report.componentwise_backward_error == 0);
            for (std::size_t i = 0; i < n; ++i) CHECK(x[i] == b[i] / d[i]);
            CHECK(solver.solve({b.data(), rows, 0}, {x.data(), rows, 0}).rhs == 0);
        }
}
TEST_CASE_TEMPLATE_APPLY(diagonals, Scalars);

TEST_CASE_TEMPLATE_DEFINE("zero matrices are not solved in silence", T, zero_matrices) {
    const auto no_entries = [](Symmetry s) { return from_table(5, EntryTable<T>{}, s); };
    const auto zeros = [](Symmetry s) { return diagonal_matrix(std::vector<T>(5), s); };
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric})
        for (const SparseMatrix<T>& a : {no_entries(symmetry), zeros(symmetry)}) {
            Solver<T> solver(shared_session());
            const FactorReport report = solver.factor(a);
            CHECK(report.status == FactorStatus::singular);
            CHECK(report.pivots.small_columns.size() == 5);
            std::vector<T> b(5, T(1)), x(5);
            const SolveReport solved = solver.solve({b.data(), 5}, {x.data(), 5});
            CHECK(solved.status == SolveStatus::not_converged);
            CHECK(finite(solved.backward_errors));
            for (const T& v : x) CHECK(std::isfinite(std::abs(v)));
        }
}
TEST_CASE_TEMPLATE_APPLY(zero_matrices, Scalars);

TEST_CASE_TEMPLATE_DEFINE("structurally singular matrices say so", T, structural) {
    EntryTable<T> table;  // columns 2 and 3 have entries in row 2 alone
    table[{0, 0}] = T(2);
    table[{1, 1}] = T(3);
    table[{0, 1}] = T(1);  // column, row
    table[{2, 2}] = T(1);
    table[{3, 2}] = T(4);
    const SparseMatrix<T> a = from_table(4, table, Symmetry::general);
    Solver<T> solver(shared_session(), {.matching = MatchingMode::on});
    const FactorReport report = solver.factor(a);
    CHECK(solver.analysis()->report.structural_rank == 3);
    CHECK(report.status == FactorStatus::singular);
    REQUIRE(report.pivots.small_columns.size() == 1);
    CHECK(report.pivots.small_columns[0] >= 2);
    std::vector<T> b(4, T(1)), x(4);
    CHECK(solver.solve({b.data(), 4}, {x.data(), 4}).status == SolveStatus::not_converged);
}
TEST_CASE_TEMPLATE_APPLY(structural, Scalars);

TEST_CASE_TEMPLATE_DEFINE("rectangular matrices and foreign sizes are refused", T, sizes) {
    SparseMatrix<T> tall;
    tall.pattern.rows = 3;
    tall.pattern.cols = 2;
    tall.pattern.begin = {0, 1, 2};
    tall.pattern.row = {0, 2};
    tall.value = {T(1), T(1)};
    Solver<T> solver(shared_session());
    CHECK_THROWS_AS(solver.analyze(tall), InvalidMatrix);
    CHECK_THROWS_AS(solver.factor(tall), InvalidMatrix);
    const SparseMatrix<T> a = diagonal_matrix(std::vector<T>(4, T(2)), Symmetry::general);
    solver.factor(a);
    std::vector<T> b(16, T(1)), x(16);
    CHECK_THROWS_AS(static_cast<void>(solver.solve({b.data(), 5}, {x.data(), 5})), InvalidArgument);
    CHECK_THROWS_AS(static_cast<void>(solver.solve({b.data(), 4, 2}, {x.data(), 4, 3})), InvalidArgument);
    CHECK_THROWS_AS(static_cast<void>(solver.solve({b.data(), 4, 1, 3}, {x.data(), 4})), InvalidArgument);
    CHECK_THROWS_AS(static_cast<void>(solver.solve({nullptr, 4}, {x.data(), 4})), InvalidArgument);
    // Another pattern of the same size needs another analysis.
    EntryTable<T> other{{{0, 0}, T(1)}, {{1, 1}, T(1)}, {{2, 2}, T(1)}, {{2, 3}, T(1)}};
    CHECK_THROWS_AS(solver.factor(from_table(4, other, Symmetry::general)), InvalidArgument);
    solver.factor(a);
    CHECK(solver.solve({b.data(), 4}, {x.data(), 4}).status == SolveStatus::converged);
}
TEST_CASE_TEMPLATE_APPLY(sizes, Scalars);

TEST_CASE_TEMPLATE_DEFINE("values that are no numbers are refused", T, bad_values) {
    const real_t<T> infinite = std::numeric_limits<real_t<T>>::infinity();
    const SparseMatrix<T> good = random_sparse<T>(40, 3, Symmetry::symmetric, true, 51);
    for (const T bad : {T(not_a_number<T>), T(infinite), T(-infinite)})
        for (const std::size_t e : {std::size_t{0}, good.value.size() - 1}) {
            const SparseMatrix<T> a = with_entry(good, e, bad);
            Solver<T> direct(shared_session());
            CHECK_THROWS_AS(direct.factor(a), InvalidMatrix);
            Solver<T> again(shared_session());
            again.analyze(good);
            CHECK_THROWS_AS(again.factor(a), InvalidMatrix);
            CHECK(again.factor(good).status == FactorStatus::success);
        }
}
TEST_CASE_TEMPLATE_APPLY(bad_values, Scalars);

TEST_CASE_TEMPLATE_DEFINE("right-hand sides that are no numbers are refused, and X stays", T, bad_rhs) {
    const SparseMatrix<T> a = random_sparse<T>(40, 3, Symmetry::symmetric, true, 52);
    Solver<T> solver(shared_session());
    solver.factor(a);
    const real_t<T> infinite = std::numeric_limits<real_t<T>>::infinity();
    for (const T bad : {T(not_a_number<T>), T(infinite), T(-infinite)})
        for (const Operation operation : {Operation::none, Operation::transpose, Operation::adjoint})
            for (const SolvePart part :
                 {SolvePart::all, SolvePart::forward, SolvePart::diagonal, SolvePart::backward}) {
                std::vector<T> b(80, T(1)), x(80, T(7));
                b[77] = bad;
                SolveOptions options;
                options.operation = operation;
                options.part = part;
                const std::string said = refusal_of([&] {
                    return solver.solve({b.data(), 40, 2}, {x.data(), 40, 2}, options);
                });
                CHECK(said.starts_with("entry (37, 1) of B is " +
                                       std::string(std::isnan(std::abs(bad)) ? "NaN" : "inf")));
                CHECK(x == std::vector<T>(80, T(7)));
            }
    std::vector<T> b(80, T(1)), in_place(40, T(1));
    in_place[39] = T(infinite);
    const std::vector<T> before = in_place;
    CHECK(refusal_of([&] { return solver.solve(in_place, in_place); }).starts_with("entry (39, 0) of B is infinite"));
    CHECK(in_place == before);
    std::vector<T> x(80);
    CHECK_THROWS_AS(static_cast<void>(solver.solve_async({before.data(), 40}, {x.data(), 40}).get()), InvalidArgument);
    CHECK(solver.solve({b.data(), 40, 2}, {x.data(), 40, 2}).status == SolveStatus::converged);
}
TEST_CASE_TEMPLATE_APPLY(bad_rhs, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a finite right-hand side whose solution overflows is not converged", T, overflowing) {
    Solver<T> solver(shared_session());
    solver.factor(diagonal_matrix<T>({T(real_t<T>(1e-3)), T(1)}, Symmetry::general));
    const std::vector<T> b{T(std::numeric_limits<real_t<T>>::max() / 10), T(1)};
    std::vector<T> x(2);
    CHECK(solver.solve(b, x).status == SolveStatus::not_converged);
    for (const T value : x) CHECK(std::isfinite(std::abs(value)));
}
TEST_CASE_TEMPLATE_APPLY(overflowing, Scalars);

TEST_CASE_TEMPLATE_DEFINE("B and X of one column are vectors, arrays or spans", T, ranges) {
    EntryTable<T> table;
    table[{0, 0}] = T(2);
    table[{0, 1}] = T(1);  // column, row
    table[{1, 1}] = T(4);
    Solver<T> solver(shared_session());
    solver.factor(from_table(2, table, Symmetry::general));
    const std::array<T, 2> b{T(2), T(9)};
    std::vector<T> x(2), too_long(3);
    CHECK(solver.solve(b, x).status == SolveStatus::converged);
    CHECK(std::abs(x[0] - T(1)) <= 4 * std::numeric_limits<real_t<T>>::epsilon());
    CHECK(std::abs(x[1] - T(2)) <= 8 * std::numeric_limits<real_t<T>>::epsilon());
    std::vector<T> again(2);
    static_cast<void>(solver.solve(std::span<const T>(b), std::span<T>(again)));
    CHECK(again == x);
    CHECK_THROWS_AS(static_cast<void>(solver.solve(b, too_long)), InvalidArgument);
    CHECK_THROWS_AS(static_cast<void>(solver.solve(too_long, x)), InvalidArgument);
}
TEST_CASE_TEMPLATE_APPLY(ranges, Scalars);
