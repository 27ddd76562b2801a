// SPDX-License-Identifier: BSD-3-Clause
// A factorization that fails leaves the Solver the factors that it had.
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "hard_systems.hpp"
#include "random_sparse.hpp"
#include "rhs_block.hpp"
#include "shared_session.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <limits>

using namespace frond;
using namespace frond::test;

namespace {

struct WithFactors {
    SparseMatrix<double> a;
    Solver<double> solver;
    RhsBlock<double> x;

    explicit WithFactors(SparseMatrix<double> matrix, FactorOptions options = {}, AnalysisOptions analysis = {})
        : a(std::move(matrix)), solver(shared_session(), fixed(analysis)), x(a.rows(), 2) {
        solver.factor(a, options);
        x = solution();
    }

    static AnalysisOptions fixed(AnalysisOptions options) {
        options.deterministic = true;
        return options;
    }

    RhsBlock<double> solution() {
        const auto b = RhsBlock<double>::random(a.rows(), 2, 5);
        RhsBlock<double> y(a.rows(), 2);
        CHECK(solver.solve(b.view(), y.view()).status == SolveStatus::converged);
        return y;
    }

    /// fail throws; the factors, their analysis and their report are as before.
    template <class Error>
    void expect_kept(const std::function<void()>& fail) {
        const auto analysis = solver.analysis();
        const FactorReport report = solver.factors().report();
        CHECK_THROWS_AS(fail(), Error);
        REQUIRE(bool(solver.factors()));
        CHECK(solver.analysis() == analysis);
        CHECK(solver.factors().report().status == report.status);
        CHECK(solver.factors().report().work.flops == report.work.flops);
        CHECK(solution() == x);
    }
};

/// Fronts on small tiles: many tasks, so that a job can be stopped between them.
AnalysisOptions on_tiles() {
    AnalysisOptions options;
    options.tile_size = 16;
    return options;
}

/// The first report of progress stops the job.
FactorOptions stopping(std::atomic<bool>& cancel) {
    FactorOptions options;
    options.cancel = &cancel;
    options.progress = [&cancel](const Progress&) { cancel = true; };
    return options;
}

}  // namespace

TEST_CASE("another pattern, another order, a NaN, wrong options, and a singular matrix that is refused") {
    WithFactors w(poisson3d<double>(8).matrix);
    w.expect_kept<InvalidArgument>([&] { w.solver.factor(poisson3d<double>(7).matrix); });
    SparseMatrix<double> other = w.a;
    std::swap(other.pattern.row[1], other.pattern.row[2]);
    w.expect_kept<InvalidArgument>([&] { w.solver.factor(other); });
    SparseMatrix<double> bad = w.a;
    bad.value[5] = std::numeric_limits<double>::quiet_NaN();
    w.expect_kept<InvalidMatrix>([&] { w.solver.factor(bad); });
    FactorOptions wrong;
    wrong.pivot_threshold = 3;
    w.expect_kept<InvalidArgument>([&] { w.solver.factor(w.a, wrong); });
    AnalysisOptions lu;
    lu.factorization = Factorization::lu;
    WithFactors u(random_sparse<double>(80, 4, Symmetry::general, true, 3), {}, lu);
    FactorOptions refusing;
    refusing.null_pivots = NullPivots::error;
    SparseMatrix<double> zero = u.a;
    for (double& v : zero.value) v = 0;
    u.expect_kept<SingularMatrix>([&] { u.solver.factor(zero, refusing); });
}

TEST_CASE("a budget that is too small from the start, and cancelled jobs") {
    WithFactors w(poisson3d<double>(20).matrix, {}, on_tiles());
    FactorOptions tight;
    tight.memory_budget_bytes = 1000;
    w.expect_kept<MemoryBudgetExceeded>([&] { w.solver.factor(w.a, tight); });
    std::atomic<bool> cancel{true};
    FactorOptions cancelled;
    cancelled.cancel = &cancel;
    w.expect_kept<Cancelled>([&] { w.solver.factor(w.a, cancelled); });
    cancel = false;
    w.expect_kept<Cancelled>([&] { w.solver.factor(w.a, stopping(cancel)); });
}

TEST_CASE("where memory holds one set of factors, a failure half way makes the earlier ones again") {
    const SparseMatrix<double> a = poisson3d<double>(20).matrix;
    WithFactors w(a, {}, on_tiles());
    const FactorReport report = w.solver.factors().report();
    FactorOptions for_one;
    for_one.memory_budget_bytes = report.memory.peak_bytes_predicted + report.memory.factor_bytes / 2;
    CHECK_NOTHROW(w.solver.factor(a, for_one));
    CHECK(w.solution() == w.x);
    std::atomic<bool> cancel{false};
    FactorOptions options = stopping(cancel);
    options.memory_budget_bytes = for_one.memory_budget_bytes;
    w.expect_kept<Cancelled>([&] { w.solver.factor(a, options); });
}

TEST_CASE("a second analysis that is needed on the way is not kept without its factors") {
    // Definite, then not, so that L D L^T follows L L^T; which is stopped.
    WithFactors w(poisson3d<double>(8).matrix, {}, on_tiles());
    REQUIRE(w.solver.analysis()->factorization == Factorization::llt);
    SparseMatrix<double> indefinite = w.a;
    for (double& v : indefinite.value) v = -v;
    std::atomic<bool> cancel{false};
    w.expect_kept<Cancelled>([&] { w.solver.factor(indefinite, stopping(cancel)); });
    CHECK(w.solver.factor(indefinite).fell_back_to_ldlt);
    CHECK(w.solver.analysis()->factorization == Factorization::ldlt);
}

TEST_CASE("a matrix put together by hand that lacks values is refused at the first call") {
    SparseMatrix<double> a = poisson3d<double>(8).matrix;
    a.value.pop_back();
    Solver<double> solver(shared_session());
    CHECK_THROWS_AS(solver.analyze(a), InvalidArgument);
    CHECK_THROWS_AS(solver.factor(a), InvalidArgument);
    CHECK(solver.analysis() == nullptr);
}
