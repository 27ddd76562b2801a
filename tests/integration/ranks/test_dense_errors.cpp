// SPDX-License-Identifier: BSD-3-Clause
// Dense matrices on several ranks: what is wrong with the parts, and work that fails or is cancelled.
#include "check_cancellations.hpp"
#include "dealt_dense.hpp"
#include "needs_ranks.hpp"
#include "shared_always.hpp"

#include "frond/matrix/generate.hpp"

#include <functional>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t order_of_parts = 130;

AnalysisOptions options_of_parts(Factorization factorization = Factorization::automatic) {
    AnalysisOptions options;
    options.tile_size = 32;
    options.factorization = factorization;
    return options;
}

/// Definite, by rows in turn.
struct GoodSystem {
    DenseSystem<double> system = DenseSystem<double>::random(order_of_parts, Symmetry::symmetric, 3, 200);
    DensePieces<double> pieces;

    explicit GoodSystem(const SomeRanks& ranks) : pieces(system, Dealing::rows_in_turn, ranks) {}

    void check_works(Solver<double>& solver, const SomeRanks& ranks) {
        solver.factor(pieces.view);
        std::vector<double> b = random_values<double>(order_of_parts, 5), x(b.size());
        CHECK(solve_whole(solver, ranks, b, x, order_of_parts).status == SolveStatus::converged);
    }
};

template <class Body>
void with_shared_fronts(const Body& body) {
    const FrontsSharedAlways shared;
    on_several_ranks(body);
}

}  // namespace

TEST_SUITE_BEGIN(needs_several_ranks);

TEST_CASE("after a dense factorization that fails before it begins there is nothing to solve with") {
    with_shared_fronts([](const SomeRanks& ranks) {
        GoodSystem good(ranks);
        DenseSystem<double> smaller = DenseSystem<double>::random(order_of_parts / 2, Symmetry::symmetric, 3, 200);
        const DensePieces<double> pieces(smaller, Dealing::rows_in_turn, ranks);
        const SparseMatrix<double> sparse = poisson2d<double>(7).matrix;
        Solver<double> solver(ranks.session(), options_of_parts());
        const std::atomic<bool> cancel{ranks.rank() == ranks.last()};
        FactorOptions cancelled;
        cancelled.cancel = &cancel;
        good.check_works(solver, ranks);
        message_of<Cancelled>([&] { solver.factor(pieces.view, cancelled); });
        std::vector<double> b = random_values<double>(order_of_parts, 5), x(b.size());
        std::string text =
            message_of<InvalidArgument>([&] { static_cast<void>(solve_whole(solver, ranks, b, x, order_of_parts)); });
        CHECK(contains(text, "there is nothing to solve with"));
        CHECK(is_same_everywhere(ranks, text));
        solver.factor(dealt(sparse, ranks).view());
        message_of<Cancelled>([&] { solver.factor(pieces.view, cancelled); });
        const SparseMatrix<double> other = poisson2d<double>(8).matrix;  // the analysis has gone, too
        solver.factor(dealt(other, ranks).view());
        check_solves(solver, other, ranks);
        good.check_works(solver, ranks);
    });
}

TEST_CASE("wrong parts of a dense matrix are named, with the rank, on all ranks") {
    with_shared_fronts([](const SomeRanks& ranks) {
        GoodSystem good(ranks);
        Solver<double> solver(ranks.session(), options_of_parts());
        using View = DenseMatrixView<double>;
        const auto refused = [&](const std::function<void(View&)>& spoil, const std::string& with) {
            View view = good.pieces.view;
            spoil(view);
            const std::string text = message_of<InvalidArgument>([&] { solver.factor(view); });
            CAPTURE(text);
            CHECK(contains(text, with));
            CHECK(is_same_everywhere(ranks, text));
        };
        const bool is_last = ranks.rank() == ranks.last();
        const std::string last = "rank " + std::to_string(ranks.last());
        std::vector<index_t> map = good.pieces.row_map;
        const auto with_map = [&](std::vector<index_t> changed) {
            return [&, changed](View& a) {
                if (!is_last) return;
                map = changed;
                a.row_map = map;
            };
        };
        std::vector<index_t> other = good.pieces.row_map;
        other[1] = 0;
        refused(with_map(other), "entry (0, 0) of the dense matrix, counted from 0, is with rank 0 and with " + last);
        other[1] = order_of_parts;
        refused(with_map(other), last + ": row_map[1] of the dense matrix is 130");
        other[1] = other[0];
        refused(with_map(other), last + ": row_map[1] of the dense matrix is " + std::to_string(ranks.last()) +
                                     ", which is there already");
        other = good.pieces.row_map;
        other.pop_back();
        map = good.pieces.row_map;
        const index_t missing = ranks.last() + (order_of_parts - 1 - ranks.last()) / ranks.size() * ranks.size();
        refused(with_map(other),
                "entry (" + std::to_string(missing) + ", 0) of the dense matrix, counted from 0, is with no rank");
        refused([&](View& a) { a.order += is_last ? 1 : 0; }, "the order of the dense matrix");
        refused([&](View& a) { a.stored = is_last ? Triangle::upper : Triangle::lower; }, "the triangle");
        refused([&](View& a) { a.ld = is_last ? 3 : a.ld; }, last + ": the leading dimension of the dense matrix is 3");
        refused([&](View& a) { a.data = is_last ? nullptr : a.data; }, last + ": the dense matrix has a null pointer");
        refused([&](View& a) { a.layout = {8, 8, 1, 2}; }, "a layout of several ranks and a row_map");
        refused(
            [&](View& a) {
                a.row_map = std::nullopt;
                a.layout = {8, 8, 2, 100};
            },
            "given to 200 ranks");
        refused(
            [&](View& a) {
                if (is_last) a.row_map = std::nullopt;
            },
            "how the dense matrix is given");
        good.check_works(solver, ranks);
    });
}

TEST_CASE("an entry that is not finite, and calls and options that do not fit, are found on all ranks") {
    with_shared_fronts([](const SomeRanks& ranks) {
        GoodSystem good(ranks);
        Solver<double> solver(ranks.session(), options_of_parts());
        const double kept = good.pieces.array[0];
        if (ranks.rank() == ranks.last()) good.pieces.array[0] = std::numeric_limits<double>::infinity();
        std::string text = message_of<InvalidMatrix>([&] { solver.factor(good.pieces.view); });
        CHECK(contains(text, "rank " + std::to_string(ranks.last()) + ": entry (" + std::to_string(ranks.last()) +
                                 ", 0) of the dense matrix, counted from 0, is infinite"));
        CHECK(is_same_everywhere(ranks, text));
        good.pieces.array[0] = kept;

        text = message_of<InvalidArgument>([&] {
            FactorOptions options;
            if (ranks.rank() == 0) options.pivoting = Pivoting::static_pivots;
            solver.factor(good.pieces.view, options);
        });
        CHECK(contains(text, "pivoting"));
        const SparseMatrix<double> sparse = poisson3d<double>(3).matrix;
        text = message_of<InvalidArgument>([&] {
            if (ranks.rank() == 0)
                solver.factor(sparse);
            else
                solver.factor(good.pieces.view);
        });
        CHECK(contains(text, "the call"));
        AnalysisOptions matched = options_of_parts();
        matched.matching = MatchingMode::on;
        Solver<double> refusing(ranks.session(), matched);
        text = message_of<InvalidArgument>([&] { refusing.factor(good.pieces.view); });
        CHECK(contains(text, "a dense matrix is not matched"));
        CHECK(is_same_everywhere(ranks, text));
        good.check_works(solver, ranks);
        Solver<double> other(ranks.session());
        other.factor(dealt(sparse, ranks).view());
        check_solves(other, sparse, ranks);
    });
}

TEST_CASE("a dense factorization that fails on any rank stops all of them") {
    with_shared_fronts([](const SomeRanks& ranks) {
        for (const Factorization kind : {Factorization::llt, Factorization::lu}) {
            GoodSystem good(ranks);
            Solver<double> solver(ranks.session(), options_of_parts(kind));
            solver.factor(good.pieces.view);
            const std::vector<RankReport> parts = solver.rank_reports();  // not every number of ranks has a table
            for (int victim = 0; victim < ranks.size(); ++victim) {
                CAPTURE(victim);
                detail::failing_unit() = ranks.rank() == victim ? 0 : -1;
                std::string text;
                try {
                    solver.factor(good.pieces.view);
                } catch (const RuntimeError& error) {
                    text = error.what();
                }
                detail::failing_unit() = -1;
                const bool fails = parts[static_cast<std::size_t>(victim)].factor_bytes > 0;
                CHECK(text.starts_with(fails ? "rank " + std::to_string(victim) + ": a unit fails" : ""));
                CHECK(text.empty() == !fails);
                CHECK(is_same_everywhere(ranks, text));
            }
            FactorOptions options;
            options.memory_budget_bytes = ranks.rank() == 0 ? 1000 : 0;
            const std::string text =
                message_of<MemoryBudgetExceeded>([&] { solver.factor(good.pieces.view, options); });
            CHECK(contains(text, "rank 0: "));
            good.check_works(solver, ranks);
        }
    });
}

TEST_CASE("any rank cancels a dense factorization at any time") {
    with_shared_fronts([](const SomeRanks& ranks) {
        DenseSystem<double> definite = DenseSystem<double>::random(600, Symmetry::symmetric, 3, 1300);
        DenseSystem<double> exchanged = DenseSystem<double>::random(600, Symmetry::general, 3);  // needs other rows
        for (index_t i = 0; i < 600; ++i) exchanged((i + 300) % 600, i) += 100;
        for (const Factorization kind : {Factorization::llt, Factorization::lu, Factorization::automatic}) {
            DenseSystem<double>& system = kind == Factorization::automatic ? exchanged : definite;
            const DensePieces<double> pieces(system, Dealing::row_blocks, ranks);
            Solver<double> solver(ranks.session(), options_of_parts(kind));
            for (int victim = 0; victim < ranks.size(); ++victim)
                for (const int wait_ms : {0, 2, 6})
                    text_of_cancelled(ranks, victim, wait_ms, [&](const std::atomic<bool>& cancel) {
                        FactorOptions options;
                        options.cancel = &cancel;
                        solver.factor(pieces.view, options);
                    });
            solver.factor(pieces.view);
            std::vector<double> b = random_values<double>(600, 5), x(b.size());
            CHECK(solve_whole(solver, ranks, b, x, 600).status == SolveStatus::converged);
        }
    });
}

TEST_SUITE_END();
