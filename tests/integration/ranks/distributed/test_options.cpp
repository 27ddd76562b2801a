// SPDX-License-Identifier: BSD-3-Clause
// What is asked of an analysis of which no rank has the whole: options and budgets.
#include "distributed_solver.hpp"
#include "frond/matrix/generate.hpp"

using namespace frond;
using namespace frond::test;

namespace {

constexpr count_t little = 1000;

/// What a factorization with that budget on rank 0 says it lacks; empty: nothing.
std::string text_of_budget(const SomeRanks& ranks, Solver<double>& solver, const SparseMatrix<double>& a, count_t bytes,
                           count_t* needed = nullptr) {
    FactorOptions options;
    options.memory_budget_bytes = ranks.rank() == 0 ? bytes : 0;
    std::string text;
    try {
        solver.factor(dealt(a, ranks).view(), options);
    } catch (const MemoryBudgetExceeded& error) {
        text = error.what();
        if (needed != nullptr) *needed = error.needed_bytes();
    }
    CHECK(is_same_everywhere(ranks, text));
    return text;
}

}  // namespace

TEST_SUITE_BEGIN(needs_distribution);

TEST_CASE("distributed analysis: what needs the whole matrix is refused, with the cure") {
    on_distributed([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        const SparseMatrix<double> a = convdiff3d<double>(5).matrix;
        const auto refused = [&](const AnalysisOptions& options, const std::string& cure) {
            Solver<double> solver(session, options);
            for (const bool analyzes : {true, false}) {
                const std::string text = message_of<InvalidArgument>([&] {
                    analyzes ? static_cast<void>(solver.analyze(dealt(a, ranks).view()))
                             : static_cast<void>(solver.factor(dealt(a, ranks).view()));
                });
                CHECK(contains(text, cure));
                CHECK(contains(text, "or take `distributed_analysis` = `off`"));
                CHECK(is_same_everywhere(ranks, text));
            }
        };
        AnalysisOptions options = distributed();
        for (const OrderingMethod ordering : {OrderingMethod::metis, OrderingMethod::natural, OrderingMethod::user}) {
            options.ordering = ordering;
            refused(options, "leave `ordering` at automatic or ptscotch");
        }
        options = distributed();
        options.matching = MatchingMode::on;
        refused(options, "leave `matching` at automatic or off");
        options = distributed();
        options.scaling = ScalingMethod::matching;
        refused(options, "`scaling` at automatic, equilibrate or none");

        options = distributed(Factorization::llt);
        Solver<double> general(session, options);
        const std::string text = message_of<InvalidMatrix>([&] { general.factor(dealt(a, ranks).view()); });
        CHECK(is_same_everywhere(ranks, text));
        for (const ScalingMethod scaling : {ScalingMethod::equilibrate, ScalingMethod::none}) {
            options = distributed();
            options.ordering = OrderingMethod::ptscotch;
            options.matching = MatchingMode::off;
            options.scaling = scaling;
            Solver<double> solver(session, options);
            solver.factor(dealt(a, ranks).view());
            check_right(solver, a, ranks);
        }
    });
}

TEST_CASE("distributed analysis: later analyses have the options of the analysis that is used") {
    on_distributed([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        const SparseMatrix<double> a = poisson2d<double>(30).matrix;
        const auto mine = dealt(a, ranks);
        AnalysisOptions on = distributed(), off = on_rank_0(on);
        for (const auto& [first, used] : {std::pair{on, off}, {off, on}}) {
            const auto analysis = std::make_shared<Analysis>(*analyze(a, off).analysis);
            analysis->options = used;
            Solver<double> solver(session, first);
            // That of rank 0 counts.
            solver.use(ranks.rank() == 0 ? analysis : nullptr);
            solver.analyze(mine.view());
            CHECK(is_distributed(solver, ranks) == (used.distributed_analysis == DistributedAnalysis::on));
            solver.factor(mine.view());
            check_right(solver, a, ranks);
        }
    });
}

TEST_CASE("distributed analysis: what is asked for needs the whole matrix, for which rank 0 has no room") {
    on_distributed([](const SomeRanks& ranks) {
        AnalysisOptions options;
        options.ordering = OrderingMethod::metis;
        Solver<double> solver(ranks.session(), options);
        FactorOptions budget;
        budget.memory_budget_bytes = little;
        const auto mine = dealt(poisson2d<double>(40).matrix, ranks);
        const std::string text = message_of<InvalidArgument>([&] { solver.factor(mine.view(), budget); });
        CHECK(text.starts_with("A does not fit into the memory of rank 0"));
        CHECK(contains(text, "leave `ordering` at automatic or ptscotch; or give rank 0 a larger budget"));
        CHECK(is_same_everywhere(ranks, text));
    });
}

TEST_CASE("distributed analysis: rank 0 that has no room for A does not gather it, unless it is asked to") {
    on_distributed([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        const SparseMatrix<double> a = poisson2d<double>(60).matrix;
        AnalysisOptions options;
        options.distributed_analysis = DistributedAnalysis::off;
        Solver<double> off(session, options);
        count_t needed = 0;
        CHECK(contains(text_of_budget(ranks, off, a, little, &needed), "gathering A takes"));
        CHECK(needed > little);

        Solver<double> automatic(session);
        std::string text = text_of_budget(ranks, automatic, a, little);
        CHECK(!text.empty());
        CHECK(!contains(text, "gathering A"));
        // Afterwards A has room, too, but its analysis is there.
        automatic.factor(dealt(a, ranks).view());
        CHECK(is_distributed(automatic, ranks));
        check_right(automatic, a, ranks);

        Solver<double> with_room(session);
        with_room.factor(dealt(a, ranks).view());
        CHECK(!is_distributed(with_room, ranks));
        Solver<double> without(session);
        text = text_of_budget(ranks, without, a, needed - 1);
        CHECK(!contains(text, "gathering A"));
        if (text.empty()) check_right(without, a, ranks);
        CHECK(is_distributed(without, ranks));
        // Analysed anew with all the memory of the machine, A is on rank 0.
        without.analyze(dealt(a, ranks).view());
        CHECK(!is_distributed(without, ranks));
        without.factor(dealt(a, ranks).view());
        check_right(without, a, ranks);
    });
}

TEST_SUITE_END();
