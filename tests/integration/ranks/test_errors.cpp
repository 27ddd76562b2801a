// SPDX-License-Identifier: BSD-3-Clause
// What is wrong on one rank, or between ranks, is one exception on all of them, and the next call works.
#include "dealt_system.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_ranks.hpp"
#include "random_sparse.hpp"

#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

using namespace frond;
using namespace frond::test;

TEST_CASE("rows that two ranks give, or none" * doctest::test_suite(needs_several_ranks)) {
    on_several_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson2d<double>(5).matrix;
        Solver<double> solver(ranks.session());
        const auto rows_but = [&](index_t row, int owner) {
            return DealtRows<double>(a, ranks.rank(),
                                     [&](index_t i) { return i == row ? owner : static_cast<int>(i % ranks.size()); });
        };
        const DealtRows<double> missing = rows_but(7, -1);
        std::string text = message_of<InvalidArgument>([&] { solver.factor(missing.view()); });
        CHECK(contains(text, "row 7 of A is given by no rank"));
        CHECK(is_same_everywhere(ranks, text));

        const DealtRows<double> twice(a, ranks.rank(), [&](index_t i) {
            return i == 7 && ranks.rank() == ranks.last() ? ranks.last() : static_cast<int>(i % ranks.size());
        });
        const bool is_twice = 7 % ranks.size() != ranks.last();
        if (is_twice) {
            text = message_of<InvalidArgument>([&] { solver.factor(twice.view()); });
            CHECK(contains(text, "row 7 of A is given by rank " + std::to_string(7 % ranks.size()) + " and by rank " +
                                     std::to_string(ranks.last())));
            CHECK(is_same_everywhere(ranks, text));
        }
        solver.factor(rows_but(-1, 0).view());
        check_solves(solver, a, ranks);

        std::vector<double> b(3, 1.0), x(3);
        const std::vector<index_t> map{0, 1, ranks.rank() == 0 ? 2 : 99};
        text = message_of<InvalidArgument>([&] {
            static_cast<void>(
                solver.solve(BlockView<const double>{b.data(), 3, 1, 0, map.data()}, {x.data(), 3, 1, 0, map.data()}));
        });
        CHECK(contains(text, "rank 1: row 2 of B has the number 99"));
        text = message_of<InvalidArgument>([&] {
            static_cast<void>(solver.solve(BlockView<const double>{b.data(), 3}, {x.data(), 3}));
        });
        CHECK(contains(text, "the matrix has order 25"));

        std::vector<double> part;
        std::vector<index_t> rows;
        for (index_t i = ranks.rank(); i < 25; i += ranks.size()) rows.push_back(24 - i);
        for (const index_t i : rows) part.push_back(i == 3 ? std::numeric_limits<double>::infinity() : 1.0);
        std::vector<double> kept(part.size(), 7.0);
        const auto count = static_cast<count_t>(part.size());
        for (const SolvePart step : {SolvePart::all, SolvePart::forward}) {
            SolveOptions options;
            options.part = step;
            text = message_of<InvalidArgument>([&] {
                static_cast<void>(solver.solve(BlockView<const double>{part.data(), count, 1, 0, rows.data()},
                                               {kept.data(), count, 1, 0, rows.data()}, options));
            });
            CHECK(contains(text, "entry (3, 0) of B is infinite"));
            CHECK(is_same_everywhere(ranks, text));
            CHECK(kept == std::vector<double>(part.size(), 7.0));
        }
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("a communicator between two groups of ranks is refused" * doctest::test_suite(needs_several_ranks)) {
    const SomeRanks all(world_size());
    const int own = all.rank() == 0 ? 0 : 1;
    MPI_Comm group = MPI_COMM_NULL, between = MPI_COMM_NULL;
    MPI_Comm_split(*all.communicator(), own, all.rank(), &group);
    MPI_Intercomm_create(group, 0, *all.communicator(), 1 - own, 7, &between);
    SessionOptions options;
    options.communicator = &between;
    CHECK(contains(message_of<InvalidArgument>([&] { Session session(options); }), "inter-communicator"));
    MPI_Comm_free(&between);
    MPI_Comm_free(&group);
}

TEST_CASE("ranks that do not agree" * doctest::test_suite(needs_several_ranks)) {
    on_several_ranks([](const SomeRanks& ranks) {
        const bool is_last = ranks.rank() == ranks.last();
        const std::string last = std::to_string(ranks.last());
        const SparseMatrix<double> a = poisson2d<double>(5).matrix;
        const Session session = ranks.session();

        AnalysisOptions analysis;
        if (is_last) analysis.tile_size = 64;
        std::string text = message_of<InvalidArgument>([&] { Solver<double> solver(session, analysis); });
        CHECK(contains(text, "tile_size differs: rank 0 has '0', rank " + last + " has '64'"));
        CHECK(is_same_everywhere(ranks, text));

        AnalysisOptions ordered;
        ordered.ordering = OrderingMethod::user;
        for (index_t k = 0; k < a.rows(); ++k) ordered.user_order.push_back(is_last ? a.rows() - 1 - k : k);
        text = message_of<InvalidArgument>([&] { Solver<double> solver(session, ordered); });
        CHECK(contains(text, "user_order differs: rank 0 has '25 columns, hash "));
        CHECK(is_same_everywhere(ranks, text));
        if (ranks.rank() > 0) ordered.user_order.clear();  // that of rank 0 is the one
        Solver<double> with_order(session, ordered);
        with_order.factor(dealt(a, ranks).view());
        check_solves(with_order, a, ranks);
        AnalysisOptions cut;
        if (is_last) cut.tree_cut.subtrees_per_worker = 8;
        text = message_of<InvalidArgument>([&] { Solver<double> solver(session, cut); });
        CHECK(contains(text, "tree_cut differs"));
        SessionOptions tuned;
        tuned.communicator = ranks.communicator();
        if (is_last) tuned.tuning = "off";
        text = message_of<InvalidArgument>([&] { const Session other(tuned); });
        CHECK(contains(text, "tuning differs: rank 0 has 'automatic', rank " + last + " has 'off'"));
        CHECK(is_same_everywhere(ranks, text));

        Solver<double> solver(session);
        FactorOptions options;
        options.memory_budget_bytes = count_t{1000000000} + ranks.rank();  // budgets may differ
        solver.factor(dealt(a, ranks).view(), options);
        if (is_last) options.pivoting = Pivoting::static_pivots;
        text = message_of<InvalidArgument>([&] { solver.factor(dealt(a, ranks).view(), options); });
        CHECK(contains(text, "pivoting differs"));

        std::vector<double> b = simple_rhs(a, 1), x(b.size());
        const auto bv = whole_on<const double>(ranks, 0, b, a.rows(), 1);
        const auto xv = whole_on<double>(ranks, 0, x, a.rows(), 1);
        text = message_of<InvalidArgument>([&] {
            if (is_last)
                static_cast<void>(solver.solve(bv, xv));
            else
                solver.factor(dealt(a, ranks).view());
        });
        CHECK(contains(text, "the call differs: rank 0 has 'Solver::factor', rank " + last + " has 'Solver::solve'"));

        const SparseMatrix<double> larger = poisson2d<double>(6).matrix;
        text = message_of<InvalidArgument>([&] { solver.factor(dealt(is_last ? larger : a, ranks).view()); });
        CHECK(contains(text, "the order of A differs: rank 0 has '25 x 25', rank " + last + " has '36 x 36'"));
        CHECK(is_same_everywhere(ranks, text));
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("an error on one rank" * doctest::test_suite(needs_several_ranks)) {
    on_several_ranks([](const SomeRanks& ranks) {
        const bool is_last = ranks.rank() == ranks.last();
        const std::string rank_text = "rank " + std::to_string(ranks.last()) + ": ";
        const SparseMatrix<double> a = poisson2d<double>(5).matrix;
        Solver<double> solver(ranks.session());
        solver.factor(dealt(a, ranks).view());

        DealtEntries<double> bad = dealt(a, ranks);
        if (is_last) bad.value[0] = std::numeric_limits<double>::quiet_NaN();
        std::string text = message_of<InvalidMatrix>([&] { solver.factor(bad.view()); });
        CHECK(contains(text, rank_text));
        CHECK(is_same_everywhere(ranks, text));
        text = message_of<InvalidMatrix>([&] { solver.factor_values(bad.value); });
        CHECK(contains(text, rank_text));
        if (is_last) bad.value.pop_back();
        text = message_of<InvalidArgument>([&] { solver.factor_values(bad.value); });
        CHECK(contains(text, rank_text));
        check_solves(solver, a, ranks);  // with the factors from before

        FactorOptions small;
        small.memory_budget_bytes = ranks.rank() == 0 ? 1000 : 0;
        try {
            solver.factor(dealt(a, ranks).view(), small);
            FAIL_CHECK("no exception");
        } catch (const MemoryBudgetExceeded& error) {
            CHECK(error.budget_bytes() == 1000);
            CHECK(error.needed_bytes() > 1000);
            CHECK(contains(error.what(), "rank 0: "));
        }
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("pairs of a symmetric matrix on two ranks that do not agree" * doctest::test_suite(needs_several_ranks)) {
    on_several_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson2d<double>(5).matrix;
        Solver<double> solver(ranks.session());
        DealtRows<double> mine(a, ranks.rank(), [&](index_t i) { return static_cast<int>(i % ranks.size()); });
        if (ranks.rank() == ranks.last()) mine.value[0] += 1e-3;
        const std::string text = message_of<InvalidMatrix>([&] { solver.factor(mine.view()); });
        CHECK(contains(text, "do not agree"));
        CHECK(is_same_everywhere(ranks, text));
    });
}

TEST_CASE("a singular matrix with null_pivots = error names the same columns on all ranks") {
    on_some_ranks([](const SomeRanks& ranks) {
        DealtEntries<double> mine(SparseMatrix<double>{}, 0, [](count_t) { return 0; });
        mine.order = 6;
        for (index_t i = 0; i < 6; ++i)
            if (i % ranks.size() == ranks.rank()) mine.add(i, i, i == 3 ? 0.0 : 1.0);
        Solver<double> solver(ranks.session());
        FactorOptions options;
        options.null_pivots = NullPivots::error;
        try {
            solver.factor(mine.view(), options);
            FAIL_CHECK("no exception");
        } catch (const SingularMatrix& error) {
            CHECK(error.columns() == std::vector<index_t>{3});
            CHECK(error.rows() == std::vector<index_t>{3});
        }
    });
}

TEST_CASE("one rank's cancellation stops all, before the work and during it" *
          doctest::test_suite(needs_several_ranks)) {
    on_several_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson3d<double>(22).matrix;
        std::atomic<bool> cancel{false};
        FactorOptions options;
        options.cancel = &cancel;
        Solver<double> solver(ranks.session());
        solver.analyze(dealt(a, ranks).view());
        cancel = ranks.rank() == ranks.last();
        std::string text = message_of<Cancelled>([&] { solver.factor(dealt(a, ranks).view(), options); });
        CHECK(contains(text, "rank " + std::to_string(ranks.last()) + ": "));
        CHECK(is_same_everywhere(ranks, text));

        cancel = false;
        std::atomic<bool> waited{false};  // rank 0 works until the others have had time to stop it
        options.progress = [&waited](const Progress&) {
            if (!waited.exchange(true)) std::this_thread::sleep_for(std::chrono::seconds(1));
        };
        std::thread beside([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            cancel = ranks.rank() == ranks.last();
        });
        text = message_of<Cancelled>([&] { solver.factor(dealt(a, ranks).view(), options); });
        beside.join();
        CHECK(text.starts_with("rank " + std::to_string(ranks.last()) + ": "));
        CHECK(is_same_everywhere(ranks, text));

        cancel = false;
        options.progress = {};
        solver.factor(dealt(a, ranks).view(), options);
        SolveOptions solve;
        cancel = ranks.rank() == ranks.last();
        solve.cancel = &cancel;
        std::vector<double> b = simple_rhs(a, 1), x(b.size());
        text = message_of<Cancelled>([&] {
            static_cast<void>(solver.solve(whole_on<const double>(ranks, 0, b, a.rows(), 1),
                                           whole_on<double>(ranks, 0, x, a.rows(), 1), solve));
        });
        CHECK(is_same_everywhere(ranks, text));
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("two solvers of one session from two threads, and messages of the application meanwhile" *
          doctest::test_suite(needs_several_ranks)) {
    on_several_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> first = poisson3d<double>(7).matrix, second = convdiff3d<double>(6).matrix;
        const Session session = ranks.session();
        Solver<double> one(session), other(session);
        const auto work = [&](Solver<double>& solver, const SparseMatrix<double>& a) {
            for (int k = 0; k < 3; ++k) {
                solver.factor(dealt(a, ranks).view());
                std::vector<double> b = simple_rhs(a, 1), x(b.size());
                static_cast<void>(solver.solve(whole_on<const double>(ranks, 0, b, a.rows(), 1),
                                               whole_on<double>(ranks, 0, x, a.rows(), 1)));
            }
        };
        std::thread beside([&] { work(other, second); });
        work(one, first);
        int sum = 0;
        const int mine = ranks.rank();
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, *ranks.communicator());
        beside.join();
        CHECK(sum == ranks.size() * (ranks.size() - 1) / 2);
        check_solves(one, first, ranks);
        check_solves(other, second, ranks);
    });
}

TEST_CASE("errors of applications reach all ranks, and text of rank 0" * doctest::test_suite(needs_several_ranks)) {
    on_several_ranks([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        const std::string text = message_of<InvalidMatrix>([&] {
            session.throw_on_all_ranks(ranks.rank() == 1 ? std::make_exception_ptr(InvalidMatrix("no file", "A.mtx", 3))
                                                         : nullptr);
        });
        CHECK(text == "rank 1: no file");
        session.throw_on_all_ranks(nullptr);
        CHECK(session.text_of_rank_0(std::to_string(ranks.rank() + 5)) == "5");
        CHECK(session.info().mpi_ranks == ranks.size());
        CHECK(session.info().mpi_rank == ranks.rank());
        CHECK(!session.info().mpi_library.empty());
    });
}

TEST_CASE("ranks that wait for one that comes late say so" * doctest::test_suite(needs_several_ranks)) {
    on_several_ranks([](const SomeRanks& ranks) {
        constexpr double late_seconds = 1;
        const SparseMatrix<double> a = poisson2d<double>(5).matrix;
        Solver<double> solver(ranks.session());
        const auto idle = [&] { return solver.rank_reports()[static_cast<std::size_t>(ranks.rank())].idle_seconds; };
        for (int late = 0; late < ranks.size(); ++late) {
            CAPTURE(late);
            const double before = idle();
            if (ranks.rank() == late) std::this_thread::sleep_for(std::chrono::duration<double>(late_seconds));
            solver.factor(dealt(a, ranks).view());
            const double waited = idle() - before;
            if (ranks.rank() != late) CHECK(waited > late_seconds / 5);
        }
        for (const RankReport& report : solver.rank_reports()) CHECK(report.idle_seconds <= report.seconds);
    });
}

TEST_CASE("a copy of a solver has messages of its own" * doctest::test_suite(needs_several_ranks)) {
    on_several_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson2d<double>(6).matrix;
        Solver<double> solver(ranks.session());
        solver.factor(dealt(a, ranks).view());
        Solver<double> copy = solver;
        check_solves(copy, a, ranks);
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("static pivots that refinement cannot repair: rank 0 has other ways") {
    on_some_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = random_sparse<double>(150, 3, Symmetry::general, false, 6);
        Solver<double> solver(ranks.session());
        for (const bool escalates : {true, false}) {
            FactorOptions hopeless;  // factors of another matrix
            hopeless.pivoting = Pivoting::static_pivots;
            hopeless.static_pivot_tolerance = 0.9;
            hopeless.escalate = escalates;
            const FactorReport factors = solver.factor(dealt(a, ranks).view(), hopeless);
            CHECK(factors.status == FactorStatus::perturbed);
            SolveOptions options;
            options.max_refinement_steps = 1;
            options.krylov = escalates ? Krylov::off : Krylov::automatic;
            std::vector<double> b = simple_rhs(a, 2), x(b.size());
            const SolveReport report = solver.solve(whole_on<const double>(ranks, 0, b, a.rows(), 2),
                                                    whole_on<double>(ranks, 0, x, a.rows(), 2), options);
            CHECK(report.escalated == escalates);
            CHECK((report.krylov_iterations > 0) == !escalates);
            CHECK((report.status == SolveStatus::converged || !escalates));
            CHECK((solver.factor_report().pivoting == Pivoting::threshold) == escalates);
            CHECK(is_same_everywhere(ranks, std::to_string(report.componentwise_backward_error) +
                                                std::to_string(report.krylov_iterations)));
            broadcast_from(ranks, 0, x);
            const double error = componentwise_error(a, Operation::none, x, b);
            CHECK(std::abs(report.componentwise_backward_error - error) <= rounding_of_errors * (1 + error));
        }
    });
}
