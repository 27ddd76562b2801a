// SPDX-License-Identifier: BSD-3-Clause
// Calls that are cancelled, and units that fail, on one of several ranks of which none has the whole of A.
#include "check_cancellations.hpp"
#include "distributed_solver.hpp"
#include "failing_units.hpp"
#include "frond/matrix/generate.hpp"

using namespace frond;
using namespace frond::test;

TEST_SUITE_BEGIN(needs_distribution);

TEST_CASE("distributed analysis: one rank's cancellation stops all, before the work and during it") {
    on_distributed_fronts([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = convdiff3d<double>(13).matrix;
        Solver<double> solver(ranks.session(), distributed());
        for (const bool analysed : {false, true})
            for (int victim = 0; victim < ranks.size(); ++victim) {
                const auto call = [&](const std::atomic<bool>& cancel) {
                    FactorOptions options;
                    options.cancel = &cancel;
                    solver.factor(dealt(a, ranks).view(), options);
                };
                const std::string text = text_of_cancelled(ranks, victim, 0, call, true);
                CHECK(contains(text, "rank " + std::to_string(victim) + ": "));
                if (analysed) check_right(solver, a, ranks);  // with the factors from before
                if (!analysed && victim == ranks.last()) solver.factor(dealt(a, ranks).view());
            }
        for (const int victim : {0, ranks.last()}) {
            CAPTURE(victim);
            for (const int wait_ms : {0, 3, 10}) {
                const auto factor = [&](const std::atomic<bool>& cancel) {
                    FactorOptions options;
                    options.cancel = &cancel;
                    solver.factor(dealt(a, ranks).view(), options);
                };
                text_of_cancelled(ranks, victim, wait_ms, factor);
            }
            solver.factor(dealt(a, ranks).view());
            for (const int wait_ms : {0, 3}) {
                const auto solve = [&](const std::atomic<bool>& cancel) {
                    SolveOptions options;
                    options.cancel = &cancel;
                    options.forward_error = true;
                    static_cast<void>(solved(solver, a, ranks, 2, options));
                };
                const std::string text = text_of_cancelled(ranks, victim, wait_ms, solve, wait_ms == 0);
                if (wait_ms == 0) CHECK(text != "");
            }
        }
        check_right(solver, a, ranks);
    });
}

TEST_CASE("distributed analysis or not: factors that new values cost are made again as they were") {
    on_distributed_fronts([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = convdiff3d<double>(13).matrix;
        const auto part = dealt(a, ranks);
        FactorOptions options;
        options.pivoting = Pivoting::static_pivots;
        FactorOptions little = options;
        little.memory_budget_bytes = 1000;
        for (const AnalysisOptions& how : {distributed(), on_rank_0(distributed())}) {
            Solver<double> solver(ranks.session(), how);
            solver.factor(part.view(), options);
            const FactorReport before = solver.factor_report();
            message_of<MemoryBudgetExceeded>([&] { solver.factor_values(part.value, little); });
            CHECK(solver.factor_report().pivoting == Pivoting::static_pivots);
            if (ranks.rank() == 0) {
                REQUIRE(bool(solver.factors()));
                CHECK(solver.factors().report().pivoting == Pivoting::static_pivots);
                CHECK(solver.factors().report().pivots.largest_l == before.pivots.largest_l);
            }
            check_right(solver, a, ranks);
        }
    });
}

TEST_CASE("distributed analysis: a unit that fails on any rank stops all of them") {
    on_distributed_fronts([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = kkt<double>(12).matrix;
        Solver<double> solver(ranks.session(), distributed());
        const auto part = dealt(a, ranks);
        solver.factor(part.view());
        index_t failed = 0;
        for (int victim = 0; victim < ranks.size(); ++victim)
            for (const index_t unit : {0, 1, 3}) {
                CAPTURE(victim);
                CAPTURE(unit);
                std::string text = text_of_failing_unit(ranks, victim, unit, [&] { solver.factor(part.view()); });
                failed += text.empty() ? 0 : 1;
                if (text.empty()) continue;
                text = message_of<InvalidArgument>([&] { check_right(solver, a, ranks); });
                CHECK(contains(text, "there is nothing to solve with"));
            }
        CHECK(failed > ranks.size());
        solver.factor(part.view());
        check_right(solver, a, ranks);
    });
}

TEST_SUITE_END();
