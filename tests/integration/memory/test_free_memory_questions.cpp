// SPDX-License-Identifier: BSD-3-Clause
// How much memory is free is asked for only where it matters: reading the system's files takes as long as a small
// factorization or solve.
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "memory/free_memory.hpp"
#include "memory/memory_budget.hpp"
#include "memory/predict_solve.hpp"
#include "shared_session.hpp"
#include "solved_rightly.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace frond;
using namespace frond::test;
using detail::free_memory_questions;
using detail::MemoryBudget;

namespace {

/// 4 on the diagonal, 1 beside it: factors of the size of the matrix.
SparseMatrix<double> tridiagonal(index_t n) {
    SparseMatrix<double> a;
    a.symmetry = Symmetry::symmetric;
    a.pattern.rows = a.pattern.cols = n;
    a.pattern.begin = {0};
    for (index_t j = 0; j < n; ++j) {
        for (index_t i = j; i < std::min(n, j + 2); ++i) {
            a.pattern.row.push_back(i);
            a.value.push_back(i == j ? 4 : 1);
        }
        a.pattern.begin.push_back(static_cast<count_t>(a.value.size()));
    }
    return a;
}

}  // namespace

TEST_CASE("small factorizations and solves do not ask how much memory is free") {
    const count_t before = free_memory_questions();
    const auto a = poisson2d<double>(20).matrix;
    Solver<double> solver(shared_session());
    for (int round = 0; round < 2; ++round) {
        solver.factor(a);
        CHECK(solved_rightly(solver, a));
    }
    CHECK(free_memory_questions() == before);
}

TEST_CASE("a factorization above 32 MiB asks, and so does a small one beside large factors") {
    Solver<double> large(shared_session()), small(shared_session());
    const count_t before = free_memory_questions();
    REQUIRE(large.factor(poisson3d<double>(28).matrix).memory.factor_bytes > detail::too_small_to_ask);
    const count_t after = free_memory_questions();
    CHECK(after > before);
    small.factor(poisson2d<double>(20).matrix);
    CHECK(free_memory_questions() > after);
}

TEST_CASE("a solve that only GMRES would make large does not ask unless GMRES begins") {
    const auto a = tridiagonal(80'000);
    Solver<double> solver(shared_session());
    solver.factor(a);
    REQUIRE(predicted_solve_bytes<double>(*solver.analysis(), 1, {}, 4) > detail::too_small_to_ask);
    const count_t before = free_memory_questions();
    CHECK(solved_rightly(solver, a));
    CHECK(free_memory_questions() == before);
}

TEST_CASE("GMRES asks when it begins, and goes on") {
    const auto a = tridiagonal(80'000);
    AnalysisOptions symmetric;
    symmetric.factorization = Factorization::ldlt;
    FactorOptions hopeless;  // pivots of 3.7 are raised to 4: one step of refinement does not repair them
    hopeless.pivoting = Pivoting::static_pivots;
    hopeless.static_pivot_tolerance = 1;
    hopeless.escalate = false;
    Solver<double> solver(shared_session(), symmetric);
    REQUIRE(solver.factor(a, hopeless).pivots.perturbed > 0);
    std::vector<double> b(80'000, 1.0), x(80'000);
    SolveOptions options;
    options.max_refinement_steps = 1;
    const count_t before = free_memory_questions();
    const SolveReport report = solver.solve({b.data(), 80'000}, {x.data(), 80'000}, options);
    CHECK(report.krylov_iterations > 0);
    CHECK(free_memory_questions() == before + 1);
}

TEST_CASE("a budget asks once, when what it has at first is not enough") {
    int questions = 0;
    MemoryBudget budget(80, 100, [&questions] {
        ++questions;
        return count_t{150};
    });
    count_t needed = 0;
    CHECK(budget.try_reserve(80));
    CHECK_FALSE(budget.try_reserve(1));  // what was foreseen is all reserved
    CHECK(budget.has_room(20));
    CHECK(budget.try_add_unforeseen(20, needed));
    CHECK(questions == 0);
    CHECK(budget.try_add_unforeseen(30, needed));
    CHECK(questions == 1);
    CHECK(budget.most_bytes() == 150);
    CHECK(budget.try_ensure(20, needed));
    CHECK_FALSE(budget.try_add_unforeseen(1, needed));
    CHECK(needed == 151);
    CHECK(questions == 1);
    CHECK(budget.refusals() == 1);
}
