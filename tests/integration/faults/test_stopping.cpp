// SPDX-License-Identifier: BSD-3-Clause
// Errors inside tasks and cancellation: the call ends soon with that error, and the next one works.
#include "factorization_parts.hpp"
#include "forced_mapping.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "memory/predict_peak.hpp"
#include "shared_session.hpp"
#include "solved_rightly.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

struct Prepared {
    SparseMatrix<double> matrix;
    Solver<double> solver;
};

Prepared prepared(Factorization kind = Factorization::lu) {
    AnalysisOptions options;
    options.factorization = kind;
    options.tile_size = 64;
    options.workers = 4;
    Prepared p{kind == Factorization::lu ? convdiff3d<double>(16).matrix : poisson3d<double>(18).matrix,
               Solver<double>(shared_session(), options)};
    p.solver.analyze(p.matrix);
    return p;
}

}  // namespace

TEST_CASE("an exception of the progress callback comes out of factor") {
    const Watchdog watchdog(60);
    Prepared p = prepared();
    FactorOptions options;
    options.progress = [](const Progress&) { throw std::domain_error("no more of this"); };
    CHECK_THROWS_WITH_AS(p.solver.factor(p.matrix, options), "no more of this", std::domain_error);
    std::vector<double> b(4096, 1.0), x(4096);
    CHECK_THROWS_AS(static_cast<void>(p.solver.solve({b.data(), 4096}, {x.data(), 4096})), InvalidArgument);
    p.solver.factor(p.matrix);
    CHECK(solved_rightly(p.solver, p.matrix));
}

TEST_CASE("progress grows and stays within the whole") {
    Prepared p = prepared();
    std::vector<Progress> calls;
    FactorOptions options;
    options.progress = [&](const Progress& progress) { calls.push_back(progress); };
    const FactorReport report = p.solver.factor(p.matrix, options);
    REQUIRE_FALSE(calls.empty());
    for (std::size_t c = 0; c < calls.size(); ++c) {
        CHECK(calls[c].total_flops == p.solver.analysis()->cost.flops);
        CHECK(calls[c].done_flops <= report.work.flops);
        if (c > 0) CHECK(calls[c].done_flops >= calls[c - 1].done_flops);
    }
}

TEST_CASE("cancelled before the start") {
    const Watchdog watchdog(60);
    Prepared p = prepared();
    const std::atomic<bool> cancel{true};
    FactorOptions factor_options;
    factor_options.cancel = &cancel;
    CHECK_THROWS_AS(p.solver.factor(p.matrix, factor_options), Cancelled);
    p.solver.factor(p.matrix);
    std::vector<double> b(4096, 1.0), x(4096);
    SolveOptions solve_options;
    solve_options.cancel = &cancel;
    CHECK_THROWS_AS(static_cast<void>(p.solver.solve({b.data(), 4096}, {x.data(), 4096}, solve_options)), Cancelled);
    CHECK(solved_rightly(p.solver, p.matrix));
}

TEST_CASE("cancelled by another thread in the middle of a factorization") {
    const Watchdog watchdog(60);
    for (const Factorization kind : {Factorization::lu, Factorization::llt, Factorization::ldlt}) {
        Prepared p = prepared(kind);
        std::atomic<bool> started{false}, cancel{false};
        std::thread canceller([&] {
            while (!started) std::this_thread::yield();
            cancel = true;
        });
        FactorOptions options;
        options.cancel = &cancel;
        double done_flops = 0;
        options.progress = [&](const Progress& progress) {
            done_flops = progress.done_flops;
            started = true;
            while (!cancel) std::this_thread::yield();
        };
        CHECK_THROWS_AS(p.solver.factor(p.matrix, options), Cancelled);
        canceller.join();
        CHECK(done_flops > 0);
        CHECK(done_flops < 0.9 * p.solver.analysis()->cost.flops);
        p.solver.factor(p.matrix);
        CHECK(solved_rightly(p.solver, p.matrix));
    }
}

TEST_CASE("cancelled while the submitter waits for memory") {
    const Watchdog watchdog(60);
    Prepared p = prepared(Factorization::ldlt);
    std::atomic<bool> cancel{false};
    FactorOptions options;
    options.memory_budget_bytes = detail::predict_peak<double>(*p.solver.analysis(), 4).sequential_bytes;
    options.cancel = &cancel;
    options.progress = [&](const Progress&) { cancel = true; };
    CHECK_THROWS_AS(p.solver.factor(p.matrix, options), Cancelled);
    options.cancel = nullptr;
    p.solver.factor(p.matrix, options);
    CHECK(solved_rightly(p.solver, p.matrix));
}

TEST_CASE("cancelled while one task factors the whole tree and nothing else runs") {
    const Watchdog watchdog(60);
    auto matrix = convdiff3d<double>(22).matrix;
    const AnalysisResult analysed =
        analyze(matrix, {.factorization = Factorization::lu, .matching = MatchingMode::off});
    const auto analysis = remapped(*analysed.analysis, {"subtree", 16, 1 << 20});
    std::atomic<bool> cancel{false};
    FactorizationParts<double> parts(analysis, std::move(matrix), analysed.scaling, &cancel);
    REQUIRE(parts.state.factors.subtrees().size() == 1);
    // The task takes a few tenths of a second.
    parts.after_submission = [&cancel] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        cancel = true;
    };
    detail::MemoryBudget budget(count_t{1} << 34);
    CHECK_THROWS_AS(parts.run(budget), Cancelled);
}

TEST_CASE("cancelled in the middle of a solve") {
    const Watchdog watchdog(60);
    Prepared p = prepared();
    p.solver.factor(p.matrix);
    const auto b = RhsBlock<double>::random(p.matrix.rows(), 400, 9);
    RhsBlock<double> x(p.matrix.rows(), 400);
    std::atomic<bool> cancel{false};
    SolveOptions options;
    options.cancel = &cancel;
    std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        cancel = true;
    });
    CHECK_THROWS_AS(static_cast<void>(p.solver.solve(b.view(), x.view(), options)), Cancelled);
    canceller.join();
    CHECK(solved_rightly(p.solver, p.matrix));
}

TEST_CASE("another solver of the session goes on when one is cancelled") {
    const Watchdog watchdog(60);
    Prepared stopped = prepared(), other = prepared(Factorization::llt);
    const std::atomic<bool> cancel{true};
    FactorOptions options;
    options.cancel = &cancel;
    auto goes_on = other.solver.factor_async(other.matrix);
    for (int round = 0; round < 5; ++round) CHECK_THROWS_AS(stopped.solver.factor(stopped.matrix, options), Cancelled);
    CHECK(goes_on.get().status == FactorStatus::success);
    CHECK(solved_rightly(other.solver, other.matrix));
}
