// SPDX-License-Identifier: BSD-3-Clause
// New values that go straight to fronts although rank 0 made the analysis, in between of calls that gather A there.
#include "distributed_solver.hpp"
#include "frond/matrix/generate.hpp"

using namespace frond;
using namespace frond::test;

namespace {

/// Every rank has rows, in turn.
DealtRows<double> rows_of(const SparseMatrix<double>& a, const SomeRanks& ranks) {
    return {a, ranks.rank(), [&](index_t i) { return static_cast<int>(i % ranks.size()); }};
}

/// With `shift` on the diagonal, which the pattern has.
SparseMatrix<double> shifted(SparseMatrix<double> a, double shift) {
    for (index_t j = 0; j < a.cols(); ++j) a.value[static_cast<std::size_t>(a.pattern.begin[j])] += shift;
    return a;
}

SparseMatrix<double> times(SparseMatrix<double> a, double factor) {
    for (double& v : a.value) v *= factor;
    return a;
}

}  // namespace

TEST_SUITE_BEGIN(needs_distribution);

TEST_CASE("distributed analysis or not: a call that gathers A and fails leaves factors of values that went to fronts") {
    on_distributed_fronts([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = convdiff3d<double>(13).matrix, b = times(a, 3);
        const auto rows = rows_of(a, ranks), other = rows_of(b, ranks);
        Solver<double> solver(ranks.session(), on_rank_0(distributed()));
        solver.factor(rows.view());
        FactorOptions little;
        little.memory_budget_bytes = count_t{1} << 20;  // A has room there, factors have not
        for (int round = 0; round < 2; ++round) {
            solver.factor_values(other.value);
            check_right(solver, b, ranks);
            message_of<MemoryBudgetExceeded>([&] { solver.factor(rows.view(), little); });
            check_right(solver, b, ranks);
            SolveOptions with_bounds;  // which ask for products with A
            with_bounds.forward_error = true;
            const auto solution = solved(solver, b, ranks, 1, with_bounds);
            CHECK(solution.report.status == SolveStatus::converged);
            solver.factor(rows.view());
            check_right(solver, a, ranks);
        }
    });
}

TEST_CASE("distributed analysis or not: values that are definite in turn keep their factorizations apart") {
    on_distributed_fronts([](const SomeRanks& ranks) {
        const SparseMatrix<double> definite = poisson3d<double>(11).matrix;
        // Minors of order 2 stay positive, eigenvalues do not: they were between 0 and 12.
        const SparseMatrix<double> indefinite = shifted(definite, -3.5);
        const auto first = dealt(definite, ranks), second = dealt(indefinite, ranks);
        for (const AnalysisOptions& how : {distributed(), on_rank_0(distributed())}) {
            Solver<double> solver(ranks.session(), how);
            solver.factor(first.view());
            solver.factor_values(first.value);
            CHECK(solver.factor_report().factorization == Factorization::llt);
            for (int round = 0; round < 2; ++round) {
                solver.factor_values(second.value);
                CHECK(solver.factor_report().status == FactorStatus::success);
                CHECK(solver.factor_report().factorization == Factorization::ldlt);
                check_right(solver, indefinite, ranks);
            }
            solver.factor_values(first.value);
            check_right(solver, definite, ranks);
        }
    });
}

TEST_CASE("distributed analysis or not: other pivoting between new values is that of all ranks") {
    on_distributed([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = convdiff3d<double>(13).matrix;
        const auto rows = rows_of(a, ranks);
        FactorOptions by_static;
        by_static.pivoting = Pivoting::static_pivots;
        Solver<double> solver(ranks.session(), on_rank_0(distributed()));
        solver.factor(rows.view(), by_static);
        solver.factor_values(rows.value, by_static);
        solver.factor(rows.view());
        solver.factor_values(rows.value);
        CHECK(solver.factor_report().pivoting == Pivoting::threshold);
        check_right(solver, a, ranks);
    });
}

TEST_SUITE_END();
