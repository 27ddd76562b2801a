// SPDX-License-Identifier: BSD-3-Clause
// Memory and messages that one rank is refused, at every place of a small problem: one exception on all ranks, nobody waits
// for ever, and the next call works.
#include "dealt_dense.hpp"
#include "dealt_system.hpp"
#include "forced_mapping.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_ranks.hpp"
#include "refusals/refused.hpp"
#include "shared_always.hpp"
#include "trouble_systems.hpp"
#include "watchdog.hpp"

#include <algorithm>
#include <functional>

using namespace frond;
using namespace frond::test;

namespace {

AnalysisOptions analysis_options() {
    AnalysisOptions options;
    options.deterministic = true;
    return options;
}

/// Little tiles above little subtrees, so that all kinds of messages occur.
std::shared_ptr<const Analysis> analysis_of(const SparseMatrix<double>& a) {
    return remapped(*analyze(a, analysis_options()).analysis, {"tiles above subtrees", 24, 100});
}

/// Runs the body on several grids, of orders k^3 and (k - 1)^3.
template <class Body>
void on_several(index_t k, const Body& body) {
    const Watchdog watchdog(200);
    const FrontsSharedAlways shared;
    for (const SparseMatrix<double>& a : {poisson3d<double>(k).matrix, convdiff3d<double>(k - 1).matrix})
        on_several_ranks([&](const SomeRanks& ranks) { body(ranks, a); });
}

/// B and X on rank 0.
struct Vectors {
    std::vector<double> b, x;
    BlockView<const double> of_b;
    BlockView<double> of_x;

    Vectors(const SomeRanks& ranks, const SparseMatrix<double>& a)
        : b(simple_rhs(a, 1)),
          x(b.size()),
          of_b(whole_on<const double>(ranks, 0, b, a.rows(), 1)),
          of_x(whole_on<double>(ranks, 0, x, a.rows(), 1)) {}
};

}  // namespace

TEST_SUITE_BEGIN(needs_several_ranks);

TEST_CASE("memory is refused in an analysis and a factorization, for every k") {
    on_several(9, [](const SomeRanks& ranks, const SparseMatrix<double>& a) {
        const DealtEntries<double> mine = dealt(a, ranks);
        const std::shared_ptr<const Analysis> analysis = analysis_of(a);
        Solver<double> solver(ranks.session(), analysis_options());
        const auto analyze = [&] { solver.analyze(mine.view()); };
        const auto factor = [&] {
            solver.use(analysis);
            solver.factor(mine.view());
        };
        for (const auto& call : {std::function<void()>(analyze), std::function<void()>(factor)}) {
            call();
            for_every_k(
                ranks, [&](int victim, long k) { return with_memory(ranks, victim, k, call); }, widening);
        }
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("memory is refused in a solve, for every k") {
    on_several(12, [](const SomeRanks& ranks, const SparseMatrix<double>& a) {
        Solver<double> solver(ranks.session(), analysis_options());
        solver.use(analysis_of(a));
        solver.factor(dealt(a, ranks).view());
        const Vectors v(ranks, a);
        const auto solve = [&] { static_cast<void>(solver.solve(v.of_b, v.of_x)); };
        solve();
        for_every_k(
            ranks, [&](int victim, long k) { return with_memory(ranks, victim, k, solve); }, widening);
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("a message is refused in a factorization or a solve, for every k") {
    on_several(9, [](const SomeRanks& ranks, const SparseMatrix<double>& a) {
        const DealtEntries<double> mine = dealt(a, ranks);
        Solver<double> solver(ranks.session(), analysis_options());
        const std::shared_ptr<const Analysis> analysis = analysis_of(a);
        const auto factor = [&] {
            solver.use(analysis);  // with earlier factors, rank 0 would try again without them
            solver.factor(mine.view());
        };
        factor();
        CHECK(solver.rank_reports()[0].factor_messages_sent > 10);
        for_every_k(
            ranks, [&](int victim, long k) { return with_messages(ranks, victim, k, factor); }, each);
        const Vectors v(ranks, a);
        const auto solve = [&] { static_cast<void>(solver.solve(v.of_b, v.of_x)); };
        for_every_k(
            ranks, [&](int victim, long k) { return with_messages(ranks, victim, k, solve); }, each);
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("memory is refused to the one that makes a session and a solver, for every k") {
    const Watchdog watchdog(100);
    on_several_ranks([](const SomeRanks& ranks) {
        const Session before = ranks.session();  // StarPU runs
        const auto call = [&] { const Solver<double> solver(ranks.session()); };
        for_every_k(
            ranks, [&](int victim, long k) { return with_memory(ranks, victim, k, call); }, each);
        call();
    });
}

// What is refused is what ranks tell each other of failed columns, after the last message of the tree.
TEST_CASE("memory is refused at the end of a factorization in which columns fail, for every k") {
    constexpr long of_the_end = 20;
    const Watchdog watchdog(200);
    const FrontsSharedAlways shared;
    const SparseMatrix<double> a = skew_part<double>(40, 1e-12, 2);
    AnalysisOptions options = analysis_options();
    options.ordering = OrderingMethod::nested_dissection;
    options.matching = MatchingMode::off;
    const std::shared_ptr<const Analysis> analysis =
        remapped(*analyze(a, options).analysis, {"all on little tiles", 8, 0});
    on_several_ranks([&](const SomeRanks& ranks) {
        const DealtEntries<double> mine = dealt(a, ranks);
        Solver<double> solver(ranks.session(), options);
        const auto factor = [&] {
            solver.use(analysis);
            solver.factor(mine.view());
        };
        factor();
        CHECK(solver.factor_report().pivots.second_pass > 500);
        for_every_k(
            ranks, [&](int victim, long k) { return with_memory(ranks, victim, k, factor); }, each,
            [&](int victim) {
                long least = allocations_in(ranks, victim, factor);  // messages come in another order each time
                for (int again = 0; again < 2; ++again) least = std::min(least, allocations_in(ranks, victim, factor));
                return std::max(0L, least - of_the_end);
            });
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("memory is refused in a factorization and a solve of a dense matrix, for every k that a stride meets") {
    const Watchdog watchdog(200);
    const FrontsSharedAlways shared;
    on_several_ranks([](const SomeRanks& ranks) {
        for (const index_t n : {200, 1100}) {  // lists of 1100 rows are more than a rank always gets
            DenseSystem<double> system = DenseSystem<double>::random(n, Symmetry::symmetric, 3, 4 * n);
            const DensePieces<double> pieces(system, Dealing::columns_backwards, ranks);
            Solver<double> solver(ranks.session(), analysis_options());
            const auto factor = [&] { solver.factor(pieces.view); };
            factor();
            std::vector<double> b = random_values<double>(at(n), 5), x(b.size());
            const auto solve = [&] {
                static_cast<void>(
                    solver.solve(whole_on<const double>(ranks, 0, b, n, 1), whole_on<double>(ranks, 0, x, n, 1)));
            };
            const std::function<void()> call = n > 1000 ? std::function<void()>(solve) : factor;
            for_every_k(
                ranks, [&](int victim, long k) { return with_memory(ranks, victim, k, call); },
                [](long k) { return k + 1 + k / 4; });
            CHECK(solve_whole(solver, ranks, b, x, n).status == SolveStatus::converged);
        }
    });
}

TEST_CASE("memory is refused in a solve of more right-hand sides than errors always have room for, for every k") {
    const Watchdog watchdog(100);
    const SharedAlways shared;
    constexpr index_t count = 600;
    on_several_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson2d<double>(6).matrix;
        Solver<double> solver(ranks.session());
        solver.factor(dealt(a, ranks).view());
        std::vector<double> b = simple_rhs(a, count), x(b.size());
        const auto solve = [&] {
            static_cast<void>(solver.solve(whole_on<const double>(ranks, 0, b, a.rows(), count),
                                           whole_on<double>(ranks, 0, x, a.rows(), count)));
        };
        for_every_k(
            ranks, [&](int victim, long k) { return with_memory(ranks, victim, k, solve); }, widening);
        check_solves(solver, a, ranks);
    });
}

TEST_SUITE_END();
