// SPDX-License-Identifier: BSD-3-Clause
// Who runs tasks: sessions start StarPU with the first task that is not the caller's, and with inline tasks never.
#include "child_process.hpp"
#include "frond/base/error.hpp"
#include "frond/condition.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "solved_rightly.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>
#include <starpu.h>

#include <thread>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

Session inline_session() { return Session(SessionOptions{.inline_tasks = true}); }

/// Fronts on tiles above subtrees, as for four workers.
AnalysisOptions on_tiles(Factorization kind) {
    AnalysisOptions options;
    options.factorization = kind;
    options.workers = 4;
    options.tile_size = 48;
    return options;
}

template <class T>
void check_inline(const SparseMatrix<T>& a, Factorization kind, const FactorOptions& options) {
    const Session session = inline_session();
    Solver<T> solver(session, on_tiles(kind));
    for (int round = 0; round < 2; ++round) {
        const FactorReport& report = solver.factor(a, options);
        CHECK(report.work.tasks > 20);
        CHECK(solved_rightly(solver, a));
    }
}

}  // namespace

TEST_CASE("in a child: who starts StarPU" * doctest::skip()) {
    const Session session(SessionOptions{.cpu_workers = 2, .gpus = 0});
    const auto small = poisson3d<double>(6).matrix;
    Solver<double> solver(session);
    solver.factor(small);
    CHECK(solved_rightly(solver, small));
    solver.factor(small);
    CHECK(condition_estimate(solver.factors()).reciprocal_condition > 0);
    CHECK(starpu_is_initialized() == 0);
    const auto large = poisson3d<double>(20).matrix;
    Solver<double> on_workers(session, on_tiles(Factorization::llt));
    on_workers.factor(large);
    CHECK(starpu_is_initialized() == 1);
    CHECK(solved_rightly(on_workers, large));
    CHECK(solved_rightly(solver, small));  // which StarPU hears of now, if a task reads its factors
    CHECK(session.info().cpu_workers == 2);
}

TEST_CASE("a session starts StarPU with the first task that is not the caller's") {
    CHECK(run_case_in_child("in a child: who starts StarPU", {}, 120) == 0);
}

TEST_CASE("in a child: inline tasks" * doctest::skip()) {
    const Watchdog watchdog(240);
    FactorOptions threshold, statically;
    threshold.pivoting = Pivoting::threshold;
    statically.pivoting = Pivoting::static_pivots;
    check_inline(poisson3d<double>(20).matrix, Factorization::llt, {});
    check_inline(poisson3d<double>(20).matrix, Factorization::ldlt, statically);
    check_inline(kkt<double>(14).matrix, Factorization::ldlt, threshold);
    check_inline(convdiff3d<double>(18).matrix, Factorization::lu, threshold);
    check_inline(convdiff3d<double>(18).matrix, Factorization::lu, statically);
    CHECK(starpu_is_initialized() == 0);
}

TEST_CASE("inline tasks: factorizations on tiles and solves of all kinds without StarPU") {
    CHECK(run_case_in_child("in a child: inline tasks", {}, 240) == 0);
}

TEST_CASE("in a child: inline sessions of several threads" * doctest::skip()) {
    const Watchdog watchdog(240);
    std::vector<char> good(4, 0);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < good.size(); ++t)
        threads.emplace_back([&good, t] {
            const auto a = convdiff3d<double>(15 + static_cast<index_t>(t)).matrix;
            const Session session = inline_session();
            Solver<double> solver(session, on_tiles(Factorization::lu));
            solver.factor(a);
            good[t] = solved_rightly(solver, a) ? 1 : 0;
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(good == std::vector<char>(4, 1));
    CHECK(starpu_is_initialized() == 0);
}

TEST_CASE("inline tasks: threads have sessions of their own") {
    CHECK(run_case_in_child("in a child: inline sessions of several threads", {}, 240) == 0);
}

TEST_CASE("inline tasks: a budget, many right-hand sides, a dense matrix, and what is refused") {
    const Watchdog watchdog(120);
    const Session session = inline_session();
    CHECK(session.info().cpu_workers == 1);
    CHECK(session.info().gpus == 0);
    const auto a = poisson3d<double>(20).matrix;
    Solver<double> solver(session, on_tiles(Factorization::ldlt));
    solver.analyze(a);
    FactorOptions options;
    options.memory_budget_bytes = solver.factor(a).memory.peak_bytes_predicted;
    CHECK(solver.factor(a, options).memory.peak_bytes <= options.memory_budget_bytes);
    constexpr count_t n = 20 * 20 * 20, rhs = 40;
    std::vector<double> b(n * rhs, 1.0), x(n * rhs);
    CHECK(solver.solve({b.data(), n, rhs}, {x.data(), n, rhs}).status == SolveStatus::converged);
    std::vector<double> dense(50 * 50, 1.0);
    for (std::size_t i = 0; i < 50; ++i) dense[i * 51] = 60;
    Solver<double> of_dense(session);
    CHECK(of_dense.factor(DenseMatrixView<double>{.order = 50, .data = dense.data()}).status == FactorStatus::success);
    CHECK_THROWS_AS(Session(SessionOptions{.cpu_workers = 2, .inline_tasks = true}), InvalidArgument);
    CHECK_THROWS_AS(Session(SessionOptions{.gpus = 1, .inline_tasks = true}), InvalidArgument);
}
