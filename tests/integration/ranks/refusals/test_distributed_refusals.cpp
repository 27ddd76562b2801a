// SPDX-License-Identifier: BSD-3-Clause
// Memory and messages that one rank is refused where no rank has the whole of A.
#include "distributed/distributed_solver.hpp"
#include "frond/condition.hpp"
#include "frond/matrix/generate.hpp"
#include "random_sparse.hpp"
#include "refusals/refused.hpp"
#include "watchdog.hpp"

using namespace frond;
using namespace frond::test;

namespace {

/// Ever wider steps: calls take longer here.
long striding(long k) { return k + 1 + k / 8; }

/// A matrix with one to four subtrees and shared fronts above them.
const SparseMatrix<double>& general_matrix() {
    static const SparseMatrix<double> a = convdiff3d<double>(12).matrix;
    return a;
}

/// Blocks of order 3 that are definite, or only look so: positive minors of order 2, one eigenvalue less than 0.
SparseMatrix<double> blocks_of_3(index_t blocks, double off_diagonal) {
    EntryTable<double> table;
    for (index_t t = 0; t < blocks; ++t)
        for (index_t j = 0; j < 3; ++j)
            for (index_t i = j; i < 3; ++i) table[{3 * t + j, 3 * t + i}] = i == j ? 1.0 : off_diagonal;
    for (index_t t = 0; t + 1 < blocks; ++t) table[{3 * t, 3 * t + 3}] = 0.01;
    return from_table(3 * blocks, table, Symmetry::symmetric);
}

}  // namespace

TEST_SUITE_BEGIN(needs_distribution);

TEST_CASE("distributed analysis: memory is refused in it and in a factorization, for every k that a stride meets") {
    const Watchdog watchdog(200);
    on_distributed_fronts([](const SomeRanks& ranks) {
        const SparseMatrix<double>& a = general_matrix();
        const auto part = dealt(a, ranks);
        Solver<double> solver(ranks.session(), distributed());
        const auto analyze = [&] { solver.analyze(part.view()); };
        const auto factor = [&] { solver.factor(part.view()); };
        for (const auto& call : {std::function<void()>(analyze), std::function<void()>(factor)}) {
            call();
            for_every_k(
                ranks, [&](int victim, long k) { return with_memory(ranks, victim, k, call); }, striding);
        }
        CHECK(is_distributed(solver, ranks));
        check_right(solver, a, ranks);
    });
}

TEST_CASE("distributed analysis: memory is refused in a solve, for every k that a stride meets") {
    const Watchdog watchdog(200);
    on_distributed_fronts([](const SomeRanks& ranks) {
        const SparseMatrix<double>& a = general_matrix();
        Solver<double> solver(ranks.session(), distributed());
        solver.factor(dealt(a, ranks).view());
        SolveOptions options;
        options.forward_error = true;
        std::vector<double> b = simple_rhs(a, 1), x(b.size());
        const auto of_b = whole_on<const double>(ranks, 0, b, a.rows(), 1);
        const auto of_x = whole_on<double>(ranks, 0, x, a.rows(), 1);
        const auto call = [&] {
            static_cast<void>(solver.solve(of_b, of_x, options));
            static_cast<void>(solver.condition());
        };
        call();
        for_every_k(
            ranks, [&](int victim, long k) { return with_memory(ranks, victim, k, call); }, striding);
        check_right(solver, a, ranks, 2);
    });
}

TEST_CASE(
    "distributed analysis: memory is refused in a solve that wants other factors, for every k that a stride meets") {
    const Watchdog watchdog(200);
    on_distributed([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = random_sparse<double>(600, 3, Symmetry::general, false, 6);
        const auto part = dealt(a, ranks);
        Solver<double> solver(ranks.session(), distributed());
        FactorOptions hopeless;  // factors of another matrix
        hopeless.pivoting = Pivoting::static_pivots;
        hopeless.static_pivot_tolerance = 0.9;
        SolveOptions options;
        options.max_refinement_steps = 1;
        options.krylov = Krylov::off;
        options.forward_error = true;
        std::vector<double> b = simple_rhs(a, 1), x(b.size());
        const auto of_b = whole_on<const double>(ranks, 0, b, a.rows(), 1);
        const auto of_x = whole_on<double>(ranks, 0, x, a.rows(), 1);
        const auto call = [&](int victim, long k) {
            solver.factor(part.view(), hopeless);
            SolveReport report;
            const Refused refused = with_memory(ranks, victim, k, [&] { report = solver.solve(of_b, of_x, options); });
            if (!refused.any) CHECK(report.escalated);
            // Either kind of factors solves once more; there are none where those from before could not be made again.
            std::string lost;
            try {
                CHECK(solver.solve(of_b, of_x, options).status == SolveStatus::converged);
            } catch (const InvalidArgument& error) {
                lost = error.what();
                CHECK(contains(lost, "there is nothing to solve with"));
            }
            CHECK(is_same_everywhere(ranks, lost));
            if (!refused.any) CHECK(lost.empty());
            return refused;
        };
        for_every_k(ranks, call, [](long k) { return k + 1 + k / 3; });
    });
}

TEST_CASE("distributed analysis: messages are refused, for every k that a stride meets") {
    const Watchdog watchdog(200);
    on_distributed_fronts([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = convdiff3d<double>(13).matrix;
        const auto part = dealt(a, ranks);
        Solver<double> solver(ranks.session(), distributed());
        const auto factor = [&] { solver.factor(part.view()); };
        factor();
        CHECK(solver.rank_reports()[1].factor_messages_sent > 10);
        for_every_k(
            ranks, [&](int victim, long k) { return with_messages(ranks, victim, k, factor); }, striding);
        std::vector<double> b = simple_rhs(a, 1), x(b.size());
        const auto of_b = whole_on<const double>(ranks, 0, b, a.rows(), 1);
        const auto of_x = whole_on<double>(ranks, 0, x, a.rows(), 1);
        const auto solve = [&] { static_cast<void>(solver.solve(of_b, of_x)); };
        for_every_k(
            ranks, [&](int victim, long k) { return with_messages(ranks, victim, k, solve); }, striding);
        check_right(solver, a, ranks);
    });
}

// What is left after an error is the factors from before, or none.
TEST_CASE("distributed analysis: memory is refused on the way from L L^T to L D L^T, for every k that a stride meets") {
    const Watchdog watchdog(200);
    on_distributed([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        const SparseMatrix<double> definite = blocks_of_3(800, 0.4), indefinite = blocks_of_3(800, -0.9);
        const auto good = dealt(definite, ranks), bad = dealt(indefinite, ranks);
        index_t left = 0, none = 0;
        const auto call = [&](int victim, long k) {
            Solver<double> solver(session, distributed());
            solver.factor(good.view());
            bool fell_back = false;
            const Refused refused =
                with_memory(ranks, victim, k, [&] { fell_back = solver.factor_values(bad.value).fell_back_to_ldlt; });
            if (refused.text.empty()) {
                CHECK(fell_back);
                check_right(solver, indefinite, ranks);
                return refused;
            }
            try {
                const Solved<double> found = solved(solver, definite, ranks, 1);
                CHECK(found.error <= accepted<double>());
                ++left;
            } catch (const InvalidArgument& error) {
                CHECK(contains(error.what(), "there is nothing to solve with"));
                ++none;
            }
            solver.factor_values(good.value);
            check_right(solver, definite, ranks);
            return refused;
        };
        for_every_k(ranks, call, striding);
        CHECK(left > 0);
        CHECK(none > 0);
    });
}
// A solver that had a part finds the whole again.
TEST_CASE(
    "distributed analysis: memory is refused to the one on rank 0 that follows, for every k that a stride meets") {
    on_distributed([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        const SparseMatrix<double> a = poisson2d<double>(45).matrix;
        const auto part = dealt(a, ranks);
        FactorOptions little;
        little.memory_budget_bytes = 1000;
        const auto call = [&](int victim, long k) {
            Solver<double> solver(session);
            CHECK(
                !contains(message_of<MemoryBudgetExceeded>([&] { solver.factor(part.view(), little); }), "gathering"));
            CHECK(is_distributed(solver, ranks));
            const Refused refused = with_memory(ranks, victim, k, [&] { solver.analyze(part.view()); });
            solver.factor(part.view());
            if (refused.text.empty()) CHECK(!is_distributed(solver, ranks));
            check_right(solver, a, ranks);
            return refused;
        };
        for_every_k(ranks, call, striding);
    });
}

TEST_SUITE_END();
