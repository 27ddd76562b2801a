// SPDX-License-Identifier: BSD-3-Clause
// When new values are scaled anew, when the scaling is kept, and when there is none.
#include "error_oracle.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "hard_systems.hpp"
#include "new_values.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <type_traits>

using namespace frond;
using namespace frond::test;

namespace {

/// In single precision refinement may stall anywhere below what is accepted, 450 eps, which "converged" says; the
/// errors of the oracle, which knows no entries too small to count, are somewhat larger.
template <class T>
constexpr double error_bound = (sizeof(real_t<T>) == 4 ? 1000 : 100) * std::numeric_limits<real_t<T>>::epsilon();

template <class T>
RhsBlock<T> solved(Solver<T>& solver, index_t n) {
    const auto b = RhsBlock<T>::random(n, 2, 5);
    RhsBlock<T> x(n, 2);
    CHECK(solver.solve(b.view(), x.view()).status == SolveStatus::converged);
    return x;
}

template <class T>
double error_of(Solver<T>& solver, const SparseMatrix<T>& a) {
    const auto b = RhsBlock<T>::random(a.rows(), 2, 5);
    const auto x = solved(solver, a.rows());
    return componentwise_error(dense(a), widened(x), widened(b));
}

/// Rows and columns of very different size.
template <class T>
SparseMatrix<T> badly_scaled(SparseMatrix<T> a) {
    for (index_t j = 0; j < a.cols(); ++j)
        for (auto e = static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j)]);
             e < static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j) + 1]); ++e)
            a.value[e] *= static_cast<real_t<T>>(std::exp2(3 * (j % 7) + 3 * (a.pattern.row[e] % 7) - 20));
    return a;
}

template <class T>
SparseMatrix<T> definite_grid(index_t side) {
    SparseMatrix<T> a = poisson3d<T>(side).matrix;
    if (is_complex<T>) a.symmetry = Symmetry::hermitian;
    return a;
}

template <class T>
struct Case {
    const char* name;
    SparseMatrix<T> matrix;
    AnalysisOptions options;
};

/// Scaled in each way, symmetric and not.
template <class T>
std::vector<Case<T>> scaled_cases() {
    AnalysisOptions by_matching, by_norms, asked;
    by_matching.matching = MatchingMode::on;
    by_norms.matching = MatchingMode::off;
    asked = by_norms;
    asked.scaling = ScalingMethod::equilibrate;
    asked.factorization = Factorization::llt;
    AnalysisOptions of_one_triangle = by_matching;
    of_one_triangle.factorization = Factorization::lu;
    const SparseMatrix<T> general = random_sparse<T>(150, 4, Symmetry::general, true, 3);
    const SparseMatrix<T> symmetric = saddle_point<T>(60, 30, Symmetry::symmetric, 4);
    return {{"L U, matched", badly_scaled(general), by_matching},
            {"L U, equilibrated", badly_scaled(general), by_norms},
            {"L D L^T, matched", badly_scaled(symmetric), by_matching},
            {"L U of one triangle, matched", badly_scaled(symmetric), of_one_triangle},
            {"L L^T, asked for", badly_scaled(definite_grid<T>(6)), asked}};
}

struct BothReports {
    FactorReport kept, fresh;
};

/// Factors new values with the scaling that is kept, and from scratch.
template <class T>
BothReports factor_both(Solver<T>& keeping, const Case<T>& c, const SparseMatrix<T>& a) {
    Solver<T> fresh(shared_session(), c.options);
    const BothReports reports{keeping.factor(a), fresh.factor(a)};
    CHECK(reports.kept.work.scaling_kept);
    CHECK(reports.kept.status == reports.fresh.status);
    CHECK(error_of(keeping, a) <= error_bound<T>);
    return reports;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("values near those that were scaled keep the scaling, and the errors are those from scratch",
                          T, near) {
    for (const Case<T>& c : scaled_cases<T>()) {
        CAPTURE(c.name);
        Solver<T> keeping(shared_session(), c.options);
        keeping.analyze(c.matrix);
        for (unsigned step = 0; step < 3; ++step) {
            const SparseMatrix<T> a = scaled_both_sides(c.matrix, 0.1, step);
            CHECK_FALSE(factor_both(keeping, c, a).kept.stale_matching);
        }
    }
}
TEST_CASE_TEMPLATE_APPLY(near, Scalars);

TEST_CASE_TEMPLATE_DEFINE("independent factors up to 2^3 on every entry: verdict and inertia as from scratch", T,
                          factors) {
    for (const Case<T>& c : scaled_cases<T>()) {
        if (c.options.factorization == Factorization::llt) continue;  // definite no more
        CAPTURE(c.name);
        Solver<T> keeping(shared_session(), c.options);
        keeping.analyze(c.matrix);
        for (unsigned step = 0; step < 5; ++step) {
            const auto [kept, fresh] = factor_both(keeping, c, with_independent_factors(c.matrix, 3, step));
            REQUIRE(kept.pivots.inertia.has_value() == fresh.pivots.inertia.has_value());
            if (!fresh.pivots.inertia) continue;
            CHECK(kept.pivots.inertia->negative == fresh.pivots.inertia->negative);
            CHECK(kept.pivots.inertia->zero == fresh.pivots.inertia->zero);
        }
    }
}
TEST_CASE_TEMPLATE_APPLY(factors, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a row that grows or fades is scaled anew", T, grown) {
    for (const Case<T>& c : scaled_cases<T>())
        for (const double factor : {1e4, 1e-4}) {
            CAPTURE(c.name);
            CAPTURE(factor);
            SparseMatrix<T> a = c.matrix;
            for (index_t j = 0; j < a.cols(); ++j)
                for (auto e = static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j)]);
                     e < static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j) + 1]); ++e) {
                    if (j == 11) a.value[e] *= static_cast<real_t<T>>(factor);
                    if (a.pattern.row[e] == 11 && a.symmetry != Symmetry::general)
                        a.value[e] *= static_cast<real_t<T>>(factor);
                }
            Solver<T> solver(shared_session(), c.options);
            solver.analyze(c.matrix);
            CHECK_FALSE(solver.factor(a).work.scaling_kept);
            CHECK(error_of(solver, a) <= error_bound<T>);
            CHECK(solver.factor(a).work.scaling_kept);  // the renewed one
        }
}
TEST_CASE_TEMPLATE_APPLY(grown, Scalars);

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
    CHECK(solver.factor(a).work.scaling_kept);
    a.value[0] = 1.0 / 1024;
    CHECK_FALSE(solver.factor(a).work.scaling_kept);
}

TEST_CASE("deterministic runs scale from scratch") {
    Case<double> c = scaled_cases<double>().front();
    c.options.deterministic = true;
    Solver<double> earlier(shared_session(), c.options), fresh(shared_session(), c.options);
    earlier.analyze(c.matrix);
    fresh.analyze(c.matrix);
    earlier.factor(with_independent_factors(c.matrix, 2, 1));
    const SparseMatrix<double> a = with_independent_factors(c.matrix, 2, 2);
    CHECK_FALSE(earlier.factor(a).work.scaling_kept);
    fresh.factor(a);
    CHECK(solved(earlier, a.rows()) == solved(fresh, a.rows()));
}

TEST_CASE_TEMPLATE_DEFINE("L L^T has the same bits with a scaling and without; L D L^T without pivoting likewise", T,
                          same_bits) {
    const SparseMatrix<T> a = badly_scaled(definite_grid<T>(9));
    for (const bool definite : {true, false}) {
        AnalysisOptions unscaled, scaled;
        unscaled.factorization = definite        ? Factorization::llt
                                 : is_complex<T> ? Factorization::ldlh
                                                 : Factorization::ldlt;
        unscaled.matching = MatchingMode::off;
        unscaled.tile_size = 24;
        scaled = unscaled;
        scaled.scaling = ScalingMethod::equilibrate;
        // Null pivots of L D L^T are told by the largest entry: that needs a diagonal of one size.
        const SparseMatrix<T>& given = definite ? a : definite_grid<T>(9);
        FactorOptions options;
        options.pivoting = definite ? Pivoting::automatic : Pivoting::none;
        Solver<T> plain(shared_session(), unscaled), by_scales(shared_session(), scaled);
        CHECK(plain.factor(given, options).status == FactorStatus::success);
        CHECK(by_scales.factor(given, options).status == FactorStatus::success);
        CHECK_FALSE(plain.factors().report().work.scaling_kept);
        SolveOptions once;
        once.max_refinement_steps = 0;
        once.krylov = Krylov::off;
        const auto b = RhsBlock<T>::random(given.rows(), 2, 5);
        RhsBlock<T> x(given.rows(), 2), y(given.rows(), 2);
        static_cast<void>(plain.solve(b.view(), x.view(), once));
        static_cast<void>(by_scales.solve(b.view(), y.view(), once));
        CHECK(x == y);
    }
}
TEST_CASE_TEMPLATE_APPLY(same_bits, Scalars);

TEST_CASE_TEMPLATE_DEFINE("L L^T of numbers outside the range is scaled, within it is not", T, range) {
    const bool single = std::is_same_v<real_t<T>, float>;
    for (const int exponent : {single ? 15 : 150, single ? 40 : 500}) {
        CAPTURE(exponent);
        SparseMatrix<T> a = definite_grid<T>(5);
        for (T& v : a.value) v *= std::ldexp(real_t<T>(1), exponent);
        const bool outside = exponent == (single ? 40 : 500);
        CHECK((analyze(a).scaling.method == ScalingMethod::equilibrate) == outside);
        Solver<T> solver(shared_session());
        CHECK(solver.factor(a).status == FactorStatus::success);
        CHECK(error_of(solver, a) <= error_bound<T>);
    }
}
TEST_CASE_TEMPLATE_APPLY(range, Scalars);

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
