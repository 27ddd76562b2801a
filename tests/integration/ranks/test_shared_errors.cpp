// SPDX-License-Identifier: BSD-3-Clause
// Errors while several ranks work on one tree: one exception on all of them, nothing under way is left, and the next call
// works.
#include "check_cancellations.hpp"
#include "dealt_system.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_ranks.hpp"
#include "shared_always.hpp"

#include <starpu.h>

using namespace frond;
using namespace frond::test;

namespace {

AnalysisOptions many_units() {
    AnalysisOptions options;
    options.deterministic = true;
    options.tile_size = 32;
    return options;
}

template <class Body>
void on_several(const Body& body) {
    const SharedAlways shared;
    on_several_ranks(body);
}

/// A unit fails on this rank while it lives.
class Failing {
public:
    Failing(bool here, index_t unit) { detail::failing_unit() = here ? unit : -1; }
    Failing(const Failing&) = delete;
    Failing& operator=(const Failing&) = delete;
    ~Failing() { detail::failing_unit() = -1; }
};

}  // namespace

TEST_CASE("any unit that fails on any rank stops all of them" * doctest::test_suite(needs_several_ranks)) {
    for (const SparseMatrix<double>& a : {poisson3d<double>(18).matrix, convdiff3d<double>(15).matrix})
        on_several([&](const SomeRanks& ranks) {
            Solver<double> solver(ranks.session(), many_units());
            solver.factor(dealt(a, ranks).view());
            const std::vector<RankReport> parts = solver.rank_reports();
            for (int victim = 0; victim < ranks.size(); ++victim)
                for (index_t unit = 0; unit < 6; ++unit) {
                    CAPTURE(victim);
                    CAPTURE(unit);
                    const Failing failing(ranks.rank() == victim, unit);
                    std::string text;
                    try {
                        solver.factor(dealt(a, ranks).view());
                    } catch (const RuntimeError& error) {
                        text = error.what();
                    }
                    // A rank with fewer units fails in none, and of many ranks some have no unit.
                    CHECK((text.empty() || text.starts_with("rank " + std::to_string(victim) + ": a unit fails")));
                    CHECK((!text.empty() || unit > 0 || !(parts[static_cast<std::size_t>(victim)].flops > 0)));
                    CHECK(is_same_everywhere(ranks, text));
                }
            solver.factor(dealt(a, ranks).view());
            check_solves(solver, a, ranks);
        });
}

TEST_CASE("a budget that one rank cannot keep to" * doctest::test_suite(needs_several_ranks)) {
    on_several([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson3d<double>(14).matrix;
        Solver<double> solver(ranks.session(), many_units());
        FactorOptions options;
        options.memory_budget_bytes = ranks.rank() == ranks.last() ? 1000 : 0;
        const std::string text =
            message_of<MemoryBudgetExceeded>([&] { solver.factor(dealt(a, ranks).view(), options); });
        CHECK(contains(text, "rank " + std::to_string(ranks.last()) + ": "));
        CHECK(is_same_everywhere(ranks, text));
        solver.factor(dealt(a, ranks).view());
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("budgets of 8 : 4 : 2 : 1 hold, or the rank whose budget does not is named with what it needs" *
          doctest::test_suite(needs_four_ranks)) {
    const SharedAlways shared;
    const SomeRanks ranks(4);
    if (!ranks.here()) return;
    const SparseMatrix<double> a = poisson3d<double>(14).matrix;
    Solver<double> solver(ranks.session(), many_units());
    solver.factor(dealt(a, ranks).view());
    count_t most = 0;
    for (const RankReport& r : solver.rank_reports()) most = std::max(most, r.peak_bytes_predicted);
    for (const bool descending : {true, false})
        for (const count_t smallest : {most, most / 2, most / 5}) {
            CAPTURE(descending);
            CAPTURE(smallest);
            const auto budget_of = [&](int rank) { return smallest << (descending ? 3 - rank : rank); };
            FactorOptions options;
            options.memory_budget_bytes = budget_of(ranks.rank());
            std::string text;
            try {
                solver.factor(dealt(a, ranks).view(), options);
                for (const RankReport& r : solver.rank_reports()) CHECK(r.peak_bytes <= most);
                check_solves(solver, a, ranks);
            } catch (const MemoryBudgetExceeded& error) {
                text = error.what();
                CHECK(error.needed_bytes() > error.budget_bytes());
                CHECK(contains(text, std::to_string(error.needed_bytes())));
                const int named = text.starts_with("rank ") ? text[5] - '0' : -1;
                REQUIRE((named >= 0 && named < 4));
                CHECK(error.budget_bytes() == budget_of(named));
                CHECK(contains(text, std::to_string(budget_of(named))));
            }
            CHECK(is_same_everywhere(ranks, text));
            CHECK(text.empty() == (smallest == most));
        }
    solver.factor(dealt(a, ranks).view());
    check_solves(solver, a, ranks);
}

TEST_CASE("any rank cancels at any time" * doctest::test_suite(needs_several_ranks)) {
    on_several([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson3d<double>(20).matrix;
        Solver<double> solver(ranks.session(), many_units());
        solver.analyze(dealt(a, ranks).view());
        check_cancellations(solver, a, ranks, {0, 2, 5, 10, 20});
    });
}

TEST_CASE("two solvers on the same ranks have factors of their own, and copies share them" *
          doctest::test_suite(needs_several_ranks)) {
    on_several([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson3d<double>(12).matrix, c = convdiff3d<double>(10).matrix;
        const Session session = ranks.session();
        Solver<double> first(session, many_units()), second(session, many_units());
        first.factor(dealt(a, ranks).view());
        second.factor(dealt(c, ranks).view());
        check_solves(first, a, ranks);
        check_solves(second, c, ranks);
        Solver<double> copy(first);
        check_solves(copy, a, ranks);
        first.factor(dealt(a, ranks).view());
        check_solves(first, a, ranks);
        check_solves(copy, a, ranks);
        copy.factor(dealt(a, ranks).view());
        check_solves(copy, a, ranks);
        check_solves(first, a, ranks);
    });
}

TEST_CASE("StarPU and its messages end with the last session and solver of several ranks" *
          doctest::test_suite(needs_several_ranks)) {
    on_several([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson3d<double>(10).matrix;
        for (int round = 0; round < 2; ++round) {
            {
                Solver<double> solver(ranks.session(), many_units());
                solver.factor(dealt(a, ranks).view());
                check_solves(solver, a, ranks);
                CHECK(starpu_is_initialized() == 1);
            }
            CHECK(starpu_is_initialized() == 0);
        }
    });
}
