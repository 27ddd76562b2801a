// SPDX-License-Identifier: BSD-3-Clause
// Several solvers whose matrices no rank has, side by side.
#include "distributed_solver.hpp"
#include "frond/condition.hpp"
#include "frond/matrix/generate.hpp"

#include <memory>
#include <thread>

using namespace frond;
using namespace frond::test;

TEST_SUITE_BEGIN(needs_distribution);

TEST_CASE("distributed analysis: a copy solves and factors while the original does") {
    on_distributed([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = convdiff3d<double>(9).matrix, twice = times(a, 2.0), thrice = times(a, 3.0);
        Solver<double> solver(ranks.session(), distributed());
        solver.factor(dealt(a, ranks).view());
        Solver<double> copy(solver);
        check_right(copy, a, ranks);
        // Products are those of the matrix that each of them factored last.
        solver.factor_values(dealt(twice, ranks).value);
        check_right(copy, a, ranks);
        check_right(solver, twice, ranks);
        CHECK(copy.condition().norm_1 == doctest::Approx(solver.condition().norm_1 / 2));
        std::vector<Solved<double>> found(2);
        std::vector<double> b = simple_rhs(a, 2), x(b.size());
        std::vector<double> b_thrice = simple_rhs(thrice, 2), x_thrice(b.size());
        const count_t n = a.rows();
        SolveOptions bounded;
        bounded.forward_error = true;
        std::thread beside([&] {
            for (int round = 0; round < 3; ++round) {
                copy.factor(dealt(thrice, ranks).view());
                found[1].report = copy.solve(whole_on<const double>(ranks, 0, b_thrice, n, 2),
                                             whole_on<double>(ranks, 0, x_thrice, n, 2), bounded);
            }
        });
        for (int round = 0; round < 3; ++round) {
            solver.factor(dealt(a, ranks).view());
            found[0].report =
                solver.solve(whole_on<const double>(ranks, 0, b, n, 2), whole_on<double>(ranks, 0, x, n, 2), bounded);
        }
        beside.join();
        for (const Solved<double>& s : found) CHECK(s.report.status == SolveStatus::converged);
        if (ranks.rank() > 0) return;
        CHECK(componentwise_error(a, Operation::none, x, b) <= accepted<double>());
        CHECK(componentwise_error(thrice, Operation::none, x_thrice, b_thrice) <= accepted<double>());
    });
}

TEST_CASE("distributed analysis: a copy outlives the original, and takes its place") {
    on_distributed([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        const SparseMatrix<double> a = poisson3d<double>(9).matrix, c = kkt<double>(5).matrix;
        auto solver = std::make_unique<Solver<double>>(session, distributed());
        Solver<double> other(session, distributed());
        solver->factor(dealt(a, ranks).view());
        other.factor(dealt(c, ranks).view());
        check_right(other, c, ranks);
        check_right(*solver, a, ranks);
        Solver<double> copy(*solver);
        solver.reset();
        check_right(copy, a, ranks, 2);
        copy.factor_values(dealt(times(a, 2.0), ranks).value);
        check_right(copy, times(a, 2.0), ranks);
        other = copy;
        check_right(other, times(a, 2.0), ranks);
        other.factor(dealt(a, ranks).view());
        check_right(other, a, ranks);
        check_right(copy, times(a, 2.0), ranks);
    });
}

TEST_SUITE_END();
