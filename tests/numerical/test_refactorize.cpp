// SPDX-License-Identifier: BSD-3-Clause
// New values on an old analysis, and the same values twice.
#include "error_oracle.hpp"
#include "forced_mapping.hpp"
#include "frond/frond.hpp"
#include "sample_systems.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

/// Other values in the same pattern, of the same character.
template <class T>
SparseMatrix<T> other_values(const SparseMatrix<T>& a) {
    SparseMatrix<T> b = a;
    for (std::size_t e = 0; e < b.value.size(); ++e)
        b.value[e] *= static_cast<real_t<T>>(1.0 + 0.25 * static_cast<double>(e % 4));
    // Diagonal entries grow most, so that definite matrices stay definite.
    for (index_t j = 0; j < b.cols(); ++j)
        for (count_t e = b.pattern.begin[static_cast<std::size_t>(j)];
             e < b.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
            if (b.pattern.row[static_cast<std::size_t>(e)] == j)
                b.value[static_cast<std::size_t>(e)] = a.value[static_cast<std::size_t>(e)] * real_t<T>(2);
    return b;
}

template <class T>
AnalysisOptions options_for(const SampleSystem<T>& system) {
    AnalysisOptions options;
    options.factorization = system.kind;
    options.scaling = ScalingMethod::equilibrate;  // the same for kept and for new analyses
    options.matching = MatchingMode::off;
    options.deterministic = true;  // scaled from scratch each time
    return options;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("new values on an old analysis", T, new_values) {
    for (const SampleSystem<T>& system : sample_systems<T>()) {
        CAPTURE(system.name);
        const index_t n = system.matrix.rows();
        const SparseMatrix<T> second = other_values(system.matrix);
        Solver<T> kept(shared_session(), options_for(system));
        kept.factor(system.matrix);
        const auto analysis = kept.analysis();
        const FactorReport report = kept.factor(second);
        CHECK(kept.analysis() == analysis);
        Solver<T> fresh(shared_session(), options_for(system));
        const FactorReport expected = fresh.factor(second);
        CHECK(report.status == expected.status);
        CHECK(report.pivots.perturbed == expected.pivots.perturbed);
        CHECK(report.pivots.two_by_two == expected.pivots.two_by_two);
        CHECK(report.work.flops == expected.work.flops);
        const auto b = RhsBlock<T>::random(n, 2, 61);
        RhsBlock<T> x(n, 2), y(n, 2);
        CHECK(kept.solve(b.view(), x.view()).status == SolveStatus::converged);
        CHECK(fresh.solve(b.view(), y.view()).status == SolveStatus::converged);
        CHECK(x == y);  // same tree, same scaling, same order of every sum
        CHECK(componentwise_error(dense(second), widened(x), widened(b)) <= accepted_backward_error<T>({}));
    }
}
TEST_CASE_TEMPLATE_APPLY(new_values, Scalars);

TEST_CASE("a shared matrix is kept without a copy and solves as a copied one does") {
    using T = double;
    const SampleSystem<T> system = sample_systems<T>().front();
    const auto shared = std::make_shared<const SparseMatrix<T>>(system.matrix);
    const index_t n = shared->rows();
    const auto b = RhsBlock<T>::random(n, 2, 61);
    RhsBlock<T> x(n, 2), y(n, 2);
    Solver<T> copying(shared_session(), options_for(system));
    copying.factor(system.matrix);
    CHECK(copying.solve(b.view(), x.view()).status == SolveStatus::converged);
    {
        Solver<T> sharing(shared_session(), options_for(system));
        sharing.analyze(shared);
        sharing.factor(shared);
        CHECK(shared.use_count() == 2);
        CHECK(sharing.solve(b.view(), y.view()).status == SolveStatus::converged);
        CHECK_THROWS_AS(sharing.factor(SharedMatrix<T>()), InvalidArgument);
    }
    CHECK(shared.use_count() == 1);
    CHECK(x == y);
    const AnalysisResult analysed = analyze(*shared, options_for(system));
    CHECK_THROWS_AS(factorize(shared_session(), analysed.analysis, SharedMatrix<T>()), InvalidArgument);
    CHECK(bool(factorize(shared_session(), analysed.analysis, shared)));
}

TEST_CASE_TEMPLATE_DEFINE("a matching is kept and its scaling renewed", T, kept_matching) {
    const index_t n = 90;
    SparseMatrix<T> a = random_sparse<T>(n, 4, Symmetry::general, false, 71);
    AnalysisOptions options;
    options.matching = MatchingMode::on;
    Solver<T> solver(shared_session(), options);
    solver.factor(a);
    REQUIRE(solver.analysis()->report.matched);
    for (std::size_t e = 0; e < a.value.size(); ++e) a.value[e] *= static_cast<real_t<T>>(e % 7 == 0 ? 1e-3 : 10);
    solver.factor(a);
    const auto b = RhsBlock<T>::random(n, 1, 62);
    RhsBlock<T> x(n, 1);
    CHECK(solver.solve(b.view(), x.view()).status == SolveStatus::converged);
    CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= accepted_backward_error<T>({}));
}
TEST_CASE_TEMPLATE_APPLY(kept_matching, Scalars);

namespace {

/// Row and column k as explicit zeros.
template <class T>
SparseMatrix<T> with_zeros_at(SparseMatrix<T> a, index_t k) {
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
            if (j == k || a.pattern.row[static_cast<std::size_t>(e)] == k) a.value[static_cast<std::size_t>(e)] = 0;
    return a;
}

/// The analysis saw zeros where these values have none.
template <class T>
void check_rank_is_back(Solver<T>& solver, const SparseMatrix<T>& a, const FactorOptions& options) {
    const index_t n = a.rows();
    const FactorReport& report = solver.factor(a, options);
    CHECK(report.status == FactorStatus::success);
    CHECK(report.pivots.small_columns.empty());
    CHECK(report.pivots.null_rows.empty());
    if (report.pivots.inertia) CHECK(report.pivots.inertia->negative + report.pivots.inertia->positive == n);
    CHECK(condition_estimate(solver.factors()).reciprocal_condition > 0);
    const auto b = RhsBlock<T>::random(n, 1, 65);
    RhsBlock<T> x(n, 1);
    CHECK(solver.solve(b.view(), x.view()).status == SolveStatus::converged);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("a structural rank is that of the present values", T, present_rank) {
    for (const Factorization kind : {Factorization::lu, Factorization::ldlt})
        for (const ScalingMethod scaling : {ScalingMethod::automatic, ScalingMethod::none, ScalingMethod::equilibrate})
            for (const Pivoting pivoting : {Pivoting::threshold, Pivoting::static_pivots}) {
                CAPTURE(static_cast<int>(kind));
                CAPTURE(static_cast<int>(scaling));
                CAPTURE(static_cast<int>(pivoting));
                const bool lu = kind == Factorization::lu;
                const SparseMatrix<T> good =
                    random_sparse<T>(70, 3, lu ? Symmetry::general : Symmetry::symmetric, true, 72);
                const SparseMatrix<T> zeroed = with_zeros_at(good, 23);
                AnalysisOptions options;
                options.factorization = kind;
                options.scaling = scaling;
                options.matching = MatchingMode::on;
                FactorOptions factor;
                factor.pivoting = pivoting;
                Solver<T> solver(shared_session(), options);
                CHECK(solver.factor(zeroed, factor).status == FactorStatus::singular);
                REQUIRE(solver.analysis()->report.structural_rank == 69);
                check_rank_is_back(solver, good, factor);
                const FactorReport again = solver.factor(zeroed, factor);
                CHECK(again.status == FactorStatus::singular);
                CHECK(again.pivots.small_columns == std::vector<index_t>{23});
            }
}
TEST_CASE_TEMPLATE_APPLY(present_rank, Scalars);

TEST_CASE("values with more structural rank than those analysed make the matching stale") {
    const SparseMatrix<double> good = random_sparse<double>(70, 3, Symmetry::general, true, 72);
    AnalysisOptions options;
    options.matching = MatchingMode::on;
    FactorOptions factor;
    factor.on_stale_matching = StaleMatching::rematch;
    Solver<double> solver(shared_session(), options);
    solver.factor(with_zeros_at(good, 23), factor);
    REQUIRE(solver.analysis()->report.structural_rank == 69);
    solver.factor(good, factor);
    CHECK(solver.analysis()->report.structural_rank == 70);
}

TEST_CASE_TEMPLATE_DEFINE("the same input gives the same bits", T, repeatable) {
    for (const SampleSystem<T>& system : sample_systems<T>()) {
        CAPTURE(system.name);
        AnalysisOptions options;
        options.factorization = system.kind;
        options.deterministic = true;
        const AnalysisResult result = analyze(system.matrix, options);
        const auto analysis = remapped(*result.analysis, {"tiles of 9 above subtrees", 9, 25});
        const index_t n = system.matrix.rows();
        const auto b = RhsBlock<T>::random(n, 5, 63);
        RhsBlock<T> first(n, 5);
        for (int run = 0; run < 4; ++run) {
            const Factors<T> factors = factorize(shared_session(), analysis, system.matrix, {}, &result.scaling);
            RhsBlock<T> x(n, 5);
            static_cast<void>(solve(factors, b.view(), x.view()));
            if (run == 0)
                first = x;
            else
                CHECK(x == first);
        }
    }
}
TEST_CASE_TEMPLATE_APPLY(repeatable, Scalars);

TEST_CASE("large enough for the mapping of its own: subtrees, tiles, several panels") {
    for (const Factorization kind : {Factorization::llt, Factorization::ldlt, Factorization::lu}) {
        AnalysisOptions options;
        options.factorization = kind;
        options.workers = 4;
        options.tile_size = 24;
        const SparseMatrix<double> a = poisson3d<double>(20).matrix;
        Solver<double> solver(shared_session(), options);
        const FactorReport report = solver.factor(a);
        CHECK(report.status == FactorStatus::success);
        CHECK(solver.analysis()->mapping.grids.size() > 1);
        CHECK(report.work.subtree_tasks > 1);
        CHECK(report.work.tasks > 100);
        const auto b = RhsBlock<double>::random(a.rows(), 3, 64);
        RhsBlock<double> x(a.rows(), 3);
        const SolveReport solved = solver.solve(b.view(), x.view());
        CHECK(solved.componentwise_backward_error <= 10 * 2.3e-16);
        // Flops of the tasks are those that were predicted: none counted twice or left out.
        CHECK(report.work.flops == doctest::Approx(solver.analysis()->cost.flops).epsilon(0.02));
    }
}

TEST_CASE("a small tree is factored on the caller's thread, a large one on the workers'") {
    for (const index_t side : {12, 250}) {
        CAPTURE(side);
        AnalysisOptions options;
        options.factorization = Factorization::ldlt;
        Solver<double> solver(shared_session(), options);
        const SparseMatrix<double> a = poisson2d<double>(side).matrix;
        solver.analyze(a);
        std::thread::id worker;
        FactorOptions factor;
        factor.progress = [&worker](const Progress&) { worker = std::this_thread::get_id(); };
        const FactorReport report = solver.factor(a, factor);
        CHECK((report.work.tasks == 1) == (side == 12));
        CHECK((worker == std::this_thread::get_id()) == (side == 12));
        const std::atomic<bool> cancelled{true};
        factor.cancel = &cancelled;
        CHECK_THROWS_AS(solver.factor(a, factor), Cancelled);
        CHECK(solver.factors().report().status == FactorStatus::success);
    }
}
