// SPDX-License-Identifier: BSD-3-Clause
// Memory and messages that one rank is refused, at every place of a small problem: one exception on all ranks, nobody waits
// for ever, and the next call works.
#include "dealt_system.hpp"
#include "forced_mapping.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_ranks.hpp"
#include "refusals/refused.hpp"
#include "shared_always.hpp"
#include "watchdog.hpp"

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

/// Of orders k^3 and (k - 1)^3.
template <class Body>
void on_several(index_t k, const Body& body) {
    const Watchdog watchdog(200);
    const FrontsSharedAlways shared;
    for (const SparseMatrix<double>& a : {poisson3d<double>(k).matrix, convdiff3d<double>(k - 1).matrix})
        on_some_ranks([&](const SomeRanks& ranks) {
            if (ranks.size() > 1) body(ranks, a);
        });
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
        const auto solve = [&] { solver.solve(v.of_b, v.of_x); };
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
        const auto solve = [&] { solver.solve(v.of_b, v.of_x); };
        for_every_k(
            ranks, [&](int victim, long k) { return with_messages(ranks, victim, k, solve); }, each);
        check_solves(solver, a, ranks);
    });
}

TEST_SUITE_END();
