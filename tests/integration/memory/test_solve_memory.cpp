// SPDX-License-Identifier: BSD-3-Clause
// The vectors of a solve keep to a bound: its own, or what the factorization's budget leaves.
#include "child_process.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/base/sanitizers.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "memory/predict_peak.hpp"
#include "memory/predict_solve.hpp"
#include "process_memory.hpp"
#include "random_sparse.hpp"
#include "shared_session.hpp"
#include "singular_systems.hpp"
#include "solved_rightly.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <utility>

using namespace frond;
using namespace frond::test;

namespace {

Solver<double> factored(const SparseMatrix<double>& a, const FactorOptions& options = {}) {
    Solver<double> solver(shared_session());
    solver.factor(a, options);
    return solver;
}

/// Static pivoting by pivots raised so far that refinement cannot repair them.
FactorOptions hopeless() {
    FactorOptions options;
    options.pivoting = Pivoting::static_pivots;
    options.static_pivot_tolerance = 0.9;
    options.escalate = false;
    return options;
}

}  // namespace

TEST_CASE("a bound makes parts of the right-hand sides; whole blocks give the same bits") {
    const auto a = convdiff3d<double>(12).matrix;
    const Solver<double> solver = factored(a);
    const index_t n = a.rows();
    const auto b = RhsBlock<double>::random(n, 40, 3);
    RhsBlock<double> whole(n, 40), part(n, 40);
    SolveOptions options;
    options.rhs_block = 8;
    const SolveReport free = solver.solve(b.view(), whole.view(), options);
    CHECK(free.columns_at_once == 40);
    CHECK(free.memory_bytes == predicted_solve_bytes<double>(*solver.analysis(), 40, options, 4));
    index_t before = 41;
    for (const index_t columns : {40, 16, 8, 3, 1}) {
        options.memory_budget_bytes = predicted_solve_bytes<double>(*solver.analysis(), columns, options, 4);
        const SolveReport report = solver.solve(b.view(), part.view(), options);
        CHECK(report.status == SolveStatus::converged);
        CHECK(report.columns_at_once < before);
        CHECK(report.columns_at_once <= columns);
        CHECK(report.memory_bytes <= options.memory_budget_bytes);
        CHECK(report.backward_errors.size() == 40);
        CHECK_FALSE(report.short_of_memory);
        if (columns < 8) continue;
        CHECK(report.columns_at_once % 8 == 0);
        CHECK(report.componentwise_backward_errors == free.componentwise_backward_errors);
        for (index_t j = 0; j < 40; ++j)
            for (index_t i = 0; i < n; ++i) REQUIRE(part(i, j) == whole(i, j));
        before = report.columns_at_once;
    }
}

TEST_CASE("a bound too small for one right-hand side is refused with both numbers, and B stays") {
    const auto a = poisson3d<double>(9).matrix;
    const Solver<double> solver = factored(a);
    auto b = RhsBlock<double>::random(a.rows(), 2, 3);
    const auto before = b;
    SolveOptions options;
    options.krylov = Krylov::off;
    const count_t least = predicted_solve_bytes<double>(*solver.analysis(), 1, options, 4);
    options.memory_budget_bytes = least - 1;
    try {
        // In another place than B: in place it takes a copy of B, too.
        RhsBlock<double> x(a.rows(), 2);
        static_cast<void>(solver.solve(std::as_const(b).view(), x.view(), options));
        FAIL("not refused");
    } catch (const MemoryBudgetExceeded& error) {
        CHECK(error.needed_bytes() == least);
        CHECK(error.budget_bytes() == least - 1);
        CHECK(std::string(error.what()).find("solve_memory_budget_bytes") != std::string::npos);
    }
    options.memory_budget_bytes = -1;
    CHECK_THROWS_AS(static_cast<void>(solver.solve(std::as_const(b).view(), b.view(), options)), InvalidArgument);
    for (index_t j = 0; j < 2; ++j)
        for (index_t i = 0; i < a.rows(); ++i) REQUIRE(b(i, j) == before(i, j));
}

TEST_CASE("what the factorization's budget leaves is enough for a solve, in parts") {
    const auto a = kkt<double>(9).matrix;
    Solver<double> solver(shared_session());
    solver.analyze(a);
    FactorOptions options;
    options.memory_budget_bytes = detail::predict_peak<double>(*solver.analysis(), 4).sequential_bytes + (1 << 20);
    const FactorReport factor = solver.factor(a, options);
    CHECK(solved_rightly(solver, a, 3));
    const index_t rhs = 2000;
    RhsBlock<double> b = RhsBlock<double>::random(a.rows(), rhs, 4), x(a.rows(), rhs);
    const SolveReport report = solver.solve(std::as_const(b).view(), x.view());
    CHECK(report.status == SolveStatus::converged);
    CHECK(report.columns_at_once < rhs);
    CHECK(report.memory_bytes < options.memory_budget_bytes - factor.memory.factor_bytes);
}

TEST_CASE("in place, in parts, with bounds of the forward error") {
    const auto a = convdiff3d<double>(10).matrix;
    const Solver<double> solver = factored(a);
    const auto b = RhsBlock<double>::random(a.rows(), 6, 3);
    RhsBlock<double> apart(a.rows(), 6), in_place = b;
    SolveOptions options;
    options.rhs_block = 2;
    options.forward_error = true;
    const SolveReport expected = solver.solve(b.view(), apart.view(), options);
    options.memory_budget_bytes = predicted_solve_bytes<double>(*solver.analysis(), 4, options, 4);
    const SolveReport report = solver.solve(std::as_const(in_place).view(), in_place.view(), options);
    CHECK(report.columns_at_once == 2);
    CHECK(report.forward_errors == expected.forward_errors);
    CHECK(report.forward_error == expected.forward_error);
    CHECK(report.componentwise_backward_errors == expected.componentwise_backward_errors);
    for (index_t j = 0; j < 6; ++j)
        for (index_t i = 0; i < a.rows(); ++i) REQUIRE(in_place(i, j) == apart(i, j));
}

TEST_CASE("GMRES has the vectors that the bound allows, or none, and the report says so") {
    const auto a = random_sparse<double>(2000, 3, Symmetry::general, false, 6);
    const Solver<double> solver = factored(a, hopeless());
    const auto b = RhsBlock<double>::random(a.rows(), 1, 3);
    RhsBlock<double> x(a.rows(), 1);
    SolveOptions options;
    options.max_refinement_steps = 1;
    const SolveReport free = solver.solve(b.view(), x.view(), options);
    REQUIRE(free.krylov_iterations > 0);
    CHECK_FALSE(free.short_of_memory);
    options.krylov = Krylov::off;
    const count_t without = predicted_solve_bytes<double>(*solver.analysis(), 1, options, 4);
    options.krylov = Krylov::automatic;
    const count_t with = predicted_solve_bytes<double>(*solver.analysis(), 1, options, 4);
    CHECK(with - without > 60 * a.rows() * count_t{8});
    options.memory_budget_bytes = (with + without) / 2;
    const SolveReport fewer = solver.solve(b.view(), x.view(), options);
    CHECK(fewer.krylov_iterations > 0);
    CHECK_FALSE(fewer.short_of_memory);
    CHECK(fewer.memory_bytes <= options.memory_budget_bytes);
    options.memory_budget_bytes = without;
    const SolveReport none = solver.solve(b.view(), x.view(), options);
    CHECK(none.krylov_iterations == 0);
    CHECK(none.short_of_memory);
    CHECK(none.status == SolveStatus::not_converged);
}

TEST_CASE("child: the process keeps to the bound of a solve" * doctest::skip()) {
    const auto a = poisson3d<double>(24).matrix;
    const index_t n = a.rows(), rhs = 300;
    const Solver<double> solver = factored(a);
    const auto b = RhsBlock<double>::random(n, rhs, 3);
    RhsBlock<double> x(n, rhs);
    SolveOptions options;
    options.memory_budget_bytes = 40'000'000;
    shared_session().give_back_memory();
    GrowthOfProcess growth;
    const SolveReport report = solver.solve(b.view(), x.view(), options);
    const count_t grown = growth.end();
    CHECK(report.status == SolveStatus::converged);
    CHECK(report.columns_at_once >= 64);
    MESSAGE(grown);
    CHECK(grown <= options.memory_budget_bytes);
}

TEST_CASE("many right-hand sides: the process keeps to the bound" *
          doctest::skip(FROND_ADDRESS_SANITIZER || FROND_THREAD_SANITIZER)) {
    CHECK(run_case_in_child("child: the process keeps to the bound of a solve", {}, 240) == 0);
}

TEST_CASE("blocks of right-hand sides may be as wide as an index goes") {
    const auto a = convdiff3d<double>(8).matrix;
    const Solver<double> solver = factored(a);
    const auto b = RhsBlock<double>::random(a.rows(), 12, 3);
    RhsBlock<double> x(a.rows(), 12);
    SolveOptions options;
    options.rhs_block = std::numeric_limits<index_t>::max();
    options.memory_budget_bytes = predicted_solve_bytes<double>(*solver.analysis(), 6, options, 4);
    const SolveReport report = solver.solve(b.view(), x.view(), options);
    CHECK(report.status == SolveStatus::converged);
    CHECK(report.columns_at_once <= 6);
    CHECK(report.columns_at_once >= 3);
    CHECK(report.memory_bytes <= options.memory_budget_bytes);
}

TEST_CASE("a solve of A^T makes row sums, which its bound knows") {
    const auto a = convdiff3d<double>(8).matrix;
    const Solver<double> solver = factored(a);
    SolveOptions options;
    const count_t plain = predicted_solve_bytes<double>(*solver.analysis(), 1, options, 4);
    options.operation = Operation::transpose;
    CHECK(predicted_solve_bytes<double>(*solver.analysis(), 1, options, 4) >= plain + 16 * count_t{a.rows()});
}

TEST_CASE("the hint of a large condition is left out where the bound has no room for it") {
    const auto a = with_pivots<double>({30}, Symmetry::general);
    const index_t n = a.rows();
    const auto b = RhsBlock<double>::random(n, 1, 3);
    RhsBlock<double> x(n, 1);
    AnalysisOptions analysis_options;
    analysis_options.factorization = Factorization::lu;
    analysis_options.matching = MatchingMode::off;
    analysis_options.scaling = ScalingMethod::none;
    Solver<double> solver(shared_session(), analysis_options);
    solver.factor(a);
    const Solver<double>& constant = solver;
    SolveOptions options;
    options.krylov = Krylov::off;
    options.memory_budget_bytes = predicted_solve_bytes<double>(*solver.analysis(), 1, options, 4);
    CHECK_FALSE(constant.solve(b.view(), x.view(), options).condition_hint.has_value());
    options.memory_budget_bytes *= 4;
    CHECK(constant.solve(b.view(), x.view(), options).condition_hint.has_value());
}
