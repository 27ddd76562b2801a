// SPDX-License-Identifier: BSD-3-Clause
// When new values are scaled anew, when the scaling is kept, and when there is none.
#include "error_oracle.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "hard_systems.hpp"
#include "new_values.hpp"
#include "random_sparse.hpp"
#include "shared_session.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

RhsBlock<double> solved(Solver<double>& solver, index_t n) {
    const auto b = RhsBlock<double>::random(n, 2, 5);
    RhsBlock<double> x(n, 2);
    CHECK(solver.solve(b.view(), x.view()).status == SolveStatus::converged);
    return x;
}

double error_of(Solver<double>& solver, const SparseMatrix<double>& a) {
    const auto b = RhsBlock<double>::random(a.rows(), 2, 5);
    const auto x = solved(solver, a.rows());
    return componentwise_error(dense(a), widened(x), widened(b));
}

/// Rows and columns of very different size.
SparseMatrix<double> badly_scaled(SparseMatrix<double> a) {
    for (index_t j = 0; j < a.cols(); ++j)
        for (auto e = static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j)]);
             e < static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j) + 1]); ++e)
            a.value[e] *= std::exp2(3 * (j % 7) + 3 * (a.pattern.row[e] % 7) - 20);
    return a;
}

struct Case {
    const char* name;
    SparseMatrix<double> matrix;
    AnalysisOptions options;
};

/// Scaled in each way, symmetric and not.
std::vector<Case> scaled_cases() {
    AnalysisOptions by_matching, by_norms, asked;
    by_matching.matching = MatchingMode::on;
    by_norms.matching = MatchingMode::off;
    asked = by_norms;
    asked.scaling = ScalingMethod::equilibrate;
    asked.factorization = Factorization::llt;
    AnalysisOptions of_one_triangle = by_matching;
    of_one_triangle.factorization = Factorization::lu;
    const SparseMatrix<double> general = random_sparse<double>(150, 4, Symmetry::general, true, 3);
    const SparseMatrix<double> symmetric = saddle_point<double>(60, 30, Symmetry::symmetric, 4);
    return {{"L U, matched", badly_scaled(general), by_matching},
            {"L U, equilibrated", badly_scaled(general), by_norms},
            {"L D L^T, matched", badly_scaled(symmetric), by_matching},
            {"L U of one triangle, matched", badly_scaled(symmetric), of_one_triangle},
            {"L L^T, asked for", badly_scaled(poisson3d<double>(6).matrix), asked}};
}

} // namespace

TEST_CASE("values near those that were scaled keep the scaling, and the errors are those from scratch") {
    for (const Case& c : scaled_cases()) {
        CAPTURE(c.name);
        Solver<double> keeping(shared_session(), c.options);
        keeping.analyze(c.matrix);
        for (unsigned step = 0; step < 3; ++step) {
            const SparseMatrix<double> a = scaled_both_sides(c.matrix, 0.1, step);
            const FactorReport report = keeping.factor(a);
            CHECK(report.scaling_kept);
            CHECK_FALSE(report.stale_matching);
            Solver<double> fresh(shared_session(), c.options);
            const FactorReport expected = fresh.factor(a);
            CHECK(report.status == expected.status);
            const double bound = 100 * std::numeric_limits<double>::epsilon();
            CHECK(error_of(keeping, a) <= bound);
            CHECK(error_of(fresh, a) <= bound);
        }
    }
}

TEST_CASE("independent factors up to 2^3 on every entry: verdict and inertia as from scratch") {
    for (const Case& c : scaled_cases()) {
        if (c.options.factorization == Factorization::llt) continue;  // definite no more
        CAPTURE(c.name);
        Solver<double> keeping(shared_session(), c.options);
        keeping.analyze(c.matrix);
        for (unsigned step = 0; step < 5; ++step) {
            const SparseMatrix<double> a = with_independent_factors(c.matrix, 3, step);
            const FactorReport report = keeping.factor(a);
            CHECK(report.scaling_kept);
            Solver<double> fresh(shared_session(), c.options);
            const FactorReport expected = fresh.factor(a);
            CHECK(report.status == expected.status);
            REQUIRE(report.inertia.has_value() == expected.inertia.has_value());
            if (expected.inertia) {
                CHECK(report.inertia->negative == expected.inertia->negative);
                CHECK(report.inertia->zero == expected.inertia->zero);
            }
            CHECK(error_of(keeping, a) <= 100 * std::numeric_limits<double>::epsilon());
        }
    }
}

TEST_CASE("a row that grows or fades is scaled anew") {
    for (const Case& c : scaled_cases())
        for (const double factor : {1e4, 1e-4}) {
            CAPTURE(c.name);
            CAPTURE(factor);
            SparseMatrix<double> a = c.matrix;
            for (index_t j = 0; j < a.cols(); ++j)
                for (auto e = static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j)]);
                     e < static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j) + 1]); ++e) {
                    if (j == 11) a.value[e] *= factor;
                    if (a.pattern.row[e] == 11 && a.symmetry != Symmetry::general) a.value[e] *= factor;
                }
            Solver<double> solver(shared_session(), c.options);
            solver.analyze(c.matrix);
            CHECK_FALSE(solver.factor(a).scaling_kept);
            CHECK(error_of(solver, a) <= 100 * std::numeric_limits<double>::epsilon());
            CHECK(solver.factor(a).scaling_kept);  // the renewed one
        }
}

TEST_CASE("a matched entry that fades is scaled anew, where rows keep their size") {
    SparseMatrix<double> a;  // (1 0.5; 0.5 1) twice
    a.pattern = {4, 4, {0, 2, 4, 6, 8}, {0, 1, 0, 1, 2, 3, 2, 3}};
    a.value = {1, 0.5, 0.5, 1, 1, 0.5, 0.5, 1};
    AnalysisOptions options;
    options.factorization = Factorization::lu;
    options.matching = MatchingMode::on;
    Solver<double> solver(shared_session(), options);
    solver.analyze(a);
    a.value[0] = 1.0 / 128;
    CHECK(solver.factor(a).scaling_kept);
    a.value[0] = 1.0 / 1024;
    CHECK_FALSE(solver.factor(a).scaling_kept);
}

TEST_CASE("deterministic runs scale from scratch") {
    Case c = scaled_cases().front();
    c.options.deterministic = true;
    Solver<double> earlier(shared_session(), c.options), fresh(shared_session(), c.options);
    earlier.analyze(c.matrix);
    fresh.analyze(c.matrix);
    earlier.factor(with_independent_factors(c.matrix, 2, 1));
    const SparseMatrix<double> a = with_independent_factors(c.matrix, 2, 2);
    CHECK_FALSE(earlier.factor(a).scaling_kept);
    fresh.factor(a);
    CHECK(solved(earlier, a.rows()) == solved(fresh, a.rows()));
}

TEST_CASE("L L^T has the same bits with a scaling and without; L D L^T without pivoting likewise") {
    const SparseMatrix<double> a = badly_scaled(poisson3d<double>(9).matrix);
    for (const bool definite : {true, false}) {
        AnalysisOptions unscaled, scaled;
        unscaled.factorization = definite ? Factorization::llt : Factorization::ldlt;
        unscaled.matching = MatchingMode::off;
        unscaled.tile_size = 24;
        scaled = unscaled;
        scaled.scaling = ScalingMethod::equilibrate;
        // Null pivots of L D L^T are told by the largest entry: that needs a diagonal of one size.
        const SparseMatrix<double>& given = definite ? a : poisson3d<double>(9).matrix;
        FactorOptions options;
        options.pivoting = definite ? Pivoting::automatic : Pivoting::none;
        Solver<double> plain(shared_session(), unscaled), by_scales(shared_session(), scaled);
        CHECK(plain.factor(given, options).status == FactorStatus::success);
        CHECK(by_scales.factor(given, options).status == FactorStatus::success);
        CHECK_FALSE(plain.factors().report().scaling_kept);
        SolveOptions once;
        once.max_refinement_steps = 0;
        once.krylov = Krylov::off;
        const auto b = RhsBlock<double>::random(given.rows(), 2, 5);
        RhsBlock<double> x(given.rows(), 2), y(given.rows(), 2);
        plain.solve(b.view(), x.view(), once);
        by_scales.solve(b.view(), y.view(), once);
        CHECK(x == y);
    }
}

TEST_CASE("L L^T of numbers outside the range is scaled") {
    SparseMatrix<double> a = poisson3d<double>(5).matrix;
    for (double& v : a.value) v = std::ldexp(v, 500);
    CHECK(analyze(a).scaling.method == ScalingMethod::equilibrate);
    Solver<double> solver(shared_session());
    CHECK(solver.factor(a).status == FactorStatus::success);
    CHECK(error_of(solver, a) <= 100 * std::numeric_limits<double>::epsilon());
}

TEST_CASE("a scaling that does not fit is refused") {
    const SparseMatrix<double> a = badly_scaled(random_sparse<double>(40, 3, Symmetry::general, true, 8));
    const AnalysisResult analysed = analyze(a);
    Scaling scaling = analysed.scaling;
    REQUIRE(scaling.row.size() == 40);
    const auto factored = [&] { return factorize(shared_session(), analysed.analysis, a, {}, &scaling); };
    CHECK(bool(factored()));
    scaling.row.pop_back();
    CHECK_THROWS_AS(factored(), InvalidArgument);
    scaling.row.push_back(0);
    CHECK_THROWS_AS(factored(), InvalidArgument);
    scaling.row.clear();
    CHECK_THROWS_AS(factored(), InvalidArgument);
    SparseMatrix<double> torn = a;
    torn.value.pop_back();
    CHECK_THROWS_AS(factorize(shared_session(), analysed.analysis, torn), InvalidArgument);
}
