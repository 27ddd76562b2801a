// SPDX-License-Identifier: BSD-3-Clause
// Solutions that solve a system near to A, but not this one: the errors say so.
#include "frond/frond.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
SparseMatrix<T> general(index_t n, const std::vector<std::vector<double>>& rows) {
    EntryTable<T> table;
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j) {
            const double value = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
            if (value != 0) table[{j, i}] = T(static_cast<real_t<T>>(value));
        }
    return from_table(n, table, Symmetry::general);
}

FactorOptions static_pivots() {
    FactorOptions options;
    options.pivoting = Pivoting::static_pivots;
    options.escalate = false;
    return options;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("static pivots of a singular matrix, b outside its range", T, outside) {
    // A path's Laplacian: constants are null vectors, and b sums to 1.
    const SparseMatrix<T> a = general<T>(4, {{1, -1, 0, 0}, {-1, 2, -1, 0}, {0, -1, 2, -1}, {0, 0, -1, 1}});
    Solver<T> solver(shared_session());
    solver.factor(a, static_pivots());
    std::vector<T> b{T(1), T(0), T(0), T(0)}, x(4);
    const SolveReport report = solver.solve(b, x);
    CHECK(report.status == SolveStatus::not_converged);
    FactorOptions escalating = static_pivots();
    escalating.escalate = true;
    solver.factor(a, escalating);
    CHECK(solver.solve(b, x).escalated);
    CHECK(solver.factor_report().status == FactorStatus::singular);
}
TEST_CASE_TEMPLATE_APPLY(outside, Scalars);

TEST_CASE_TEMPLATE_DEFINE("an unknown that no row sees excuses no residual", T, hidden) {
    // Columns 1 and 2 are what x_1, x_2 need; column 3 is 0 and rows 1 .. 3 contradict each other. x = (1, 1, huge)
    // misses row 3 by all of it.
    const SparseMatrix<T> a = general<T>(3, {{2, 1, 0}, {1, 3, 0}, {1, 1, 1e-300}});
    Solver<T> solver(shared_session());
    AnalysisOptions unscaled;
    unscaled.scaling = ScalingMethod::none;
    unscaled.matching = MatchingMode::off;
    solver = Solver<T>(shared_session(), unscaled);
    solver.factor(a, static_pivots());
    SolveOptions one;
    one.krylov = Krylov::off;
    std::vector<T> b{T(3), T(4), T(5)}, x(3);
    const SolveReport report = solver.solve(b, x, one);
    const double missed = std::abs(b[2] - x[0] - x[1]) / (std::abs(b[2]) + std::abs(x[0]) + std::abs(x[1]));
    CHECK(missed > 0.1);
    CHECK(report.status == SolveStatus::not_converged);
    CHECK(report.pure_componentwise_backward_error > 0.1);
}
TEST_CASE_TEMPLATE_APPLY(hidden, Scalars);

TEST_CASE_TEMPLATE_DEFINE("rounding in place of zeros is accepted, and the pure error says it", T, rounding) {
    // x = (1, -1, 0): row 3 has x_3 alone, which comes out as rounding of the others.
    const real_t<T> third = real_t<T>(1) / 3;
    EntryTable<T> table;
    const auto set = [&](index_t i, index_t j, real_t<T> value) { table[{j, i}] = T(value); };
    set(0, 0, 3 * third), set(0, 1, third), set(0, 2, 7 * third);
    set(1, 0, third), set(1, 1, 5 * third), set(1, 2, third);
    set(2, 0, third), set(2, 1, third), set(2, 2, 11 * third);
    const SparseMatrix<T> a = from_table(3, table, Symmetry::general);
    Solver<T> solver(shared_session());
    solver.factor(a);
    std::vector<T> x(3), b(3);
    const std::vector<T> known{T(1), T(-1), T(0)};
    solver.multiply(Operation::none, {known.data(), 3}, {b.data(), 3});
    const SolveReport report = solver.solve(b, x);
    CHECK(report.status == SolveStatus::converged);
    CHECK(report.pure_componentwise_backward_error >= report.componentwise_backward_error);
    REQUIRE(report.pure_componentwise_backward_errors.size() == 1);
    CHECK(report.pure_componentwise_backward_errors[0] == report.pure_componentwise_backward_error);
}
TEST_CASE_TEMPLATE_APPLY(rounding, Scalars);

TEST_CASE_TEMPLATE_DEFINE("dependent columns of different sizes: b in the range", T, dependent) {
    // Columns 2 and 6 are parallel, 1 / eps^(1/2) apart; rows 5 and 6 are far larger than the null row.
    const double large =
        std::floor(0.06 / std::sqrt(static_cast<double>(std::numeric_limits<real_t<T>>::epsilon()))) * 16;
    const SparseMatrix<T> a = general<T>(6, {{-0.25, 0, 0, -0.75, 0.375, 0},
                                             {1.125, 0, 0, 0, -1.75, 0},
                                             {0, 0, 1.25, 0, 0, 0},
                                             {0, 0, 0, 1.75, 0, 0},
                                             {-0.375, -large, -0.5, 0, -1.625, -1},
                                             {0, large, 0.5, 0, 0, 1}});
    for (const Operation operation : {Operation::none, Operation::transpose, Operation::adjoint}) {
        Solver<T> solver(shared_session());
        CHECK(solver.factor(a).status == FactorStatus::singular);
        const std::vector<T> ones(6, T(1));
        std::vector<T> b(6), x(6);
        solver.multiply(operation, {ones.data(), 6}, {b.data(), 6});
        SolveOptions options;
        options.operation = operation;
        const SolveReport report = solver.solve(b, x, options);
        CAPTURE(report.componentwise_backward_error);
        CHECK(report.status == SolveStatus::converged);
    }
}
TEST_CASE_TEMPLATE_APPLY(dependent, Scalars);
