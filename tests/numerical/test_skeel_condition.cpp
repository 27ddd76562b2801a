// SPDX-License-Identifier: BSD-3-Clause
// The condition that scaling does not change, and the hint that solves give by it.
#include "dense_oracle.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "random_sparse.hpp"
#include "rhs_block.hpp"
#include "sample_systems.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "singular_systems.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

template<class T>
SparseMatrix<T> definite_grid(index_t side) {
    SparseMatrix<T> a = poisson2d<T>(side).matrix;
    if (is_complex<T>) a.symmetry = Symmetry::hermitian;
    return a;
}

template<class T>
Solver<T> factored(const SparseMatrix<T>& a, Factorization kind,
                   ScalingMethod scaling = ScalingMethod::none) {
    AnalysisOptions options;
    options.factorization = kind;
    options.scaling = scaling;
    options.matching = MatchingMode::off;
    Solver<T> solver(shared_session(), options);
    solver.factor(a);
    return solver;
}

/// || diag(c)^-1 |A^-1| |A| c ||_inf
double skeel(const DenseMatrix& a, const std::vector<long double>& c) {
    DenseMatrix unit(a.rows, a.rows);
    for (index_t i = 0; i < a.rows; ++i) unit(i, i) = 1;
    const DenseMatrix inverse = solve_dense(a, unit);
    std::vector<long double> sum(c.size(), 0);
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t j = 0; j < a.rows; ++j)
            sum[static_cast<std::size_t>(i)] += std::abs(a(i, j)) * c[static_cast<std::size_t>(j)];
    long double largest = 0;
    for (index_t i = 0; i < a.rows; ++i) {
        long double row = 0;
        for (index_t j = 0; j < a.rows; ++j)
            row += std::abs(inverse(i, j)) * sum[static_cast<std::size_t>(j)];
        largest = std::max(largest, row / c[static_cast<std::size_t>(i)]);
    }
    return static_cast<double>(largest);
}

template<class T>
SolveReport solved(Solver<T>& solver, const SolveOptions& options = {}) {
    const index_t n = solver.analysis()->order;
    RhsBlock<T> b = RhsBlock<T>::random(n, 2, 5), x(n, 2);
    return solver.solve(std::as_const(b).view(), x.view(), options);
}

} // namespace

TEST_CASE_TEMPLATE_DEFINE("Skeel's condition of the sample systems, against dense inverses", T,
                          samples) {
    for (const SampleSystem<T>& system : sample_systems<T>()) {
        CAPTURE(system.name);
        const ConditionEstimate c =
            condition_estimate(factored(system.matrix, system.kind).factors());
        const DenseMatrix a = dense(system.matrix);
        std::vector<long double> scale(static_cast<std::size_t>(a.rows), 1);
        for (index_t i = 0; i < a.rows && system.kind == Factorization::llt; ++i)
            scale[static_cast<std::size_t>(i)] = 1 / std::sqrt(std::abs(a(i, i)));
        const double exact = skeel(a, scale);
        const double slack = 1 + exact * rounding_bound<T>(20 * a.rows);
        REQUIRE(slack < 2);
        CHECK(c.skeel_condition <= exact * slack);
        CHECK(c.skeel_condition * 3 * slack >= exact);
        CHECK_FALSE(c.ill_conditioned);
    }
}

TEST_CASE_TEMPLATE_APPLY(samples, Scalars);

TEST_CASE_TEMPLATE_DEFINE("penalties on the diagonal and scaled rows leave it small", T, scaled) {
    constexpr index_t side = 20;
    SparseMatrix<T> a = definite_grid<T>(side);
    const Factorization definite = Factorization::llt;
    const double before = condition_estimate(factored(a, definite).factors()).skeel_condition;
    for (index_t j = 0; j < a.cols(); j += 7)
        a.value[static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j)])] = T(1e12F);
    for (const Factorization kind : {definite, Factorization::lu})
        for (const ScalingMethod scaling : {ScalingMethod::none, ScalingMethod::equilibrate}) {
            Solver<T> solver = factored(a, kind, scaling);
            const ConditionEstimate c = condition_estimate(solver.factors());
            CHECK(c.reciprocal_condition < 1e-11);
            CHECK(c.skeel_condition <= before);
            CHECK_FALSE(c.ill_conditioned);
            CHECK_FALSE(solved(solver).ill_conditioned);
        }
}

TEST_CASE_TEMPLATE_APPLY(scaled, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a solve tells of a large condition without being asked", T, hint) {
    constexpr double eps = std::numeric_limits<real_t<T>>::epsilon();
    constexpr double d = 30; // (1 1; 1 1 + d eps): condition 4 / (d eps)
    const auto near_singular = with_pivots<T>({d}, Symmetry::general);
    Solver<T> solver = factored(near_singular, Factorization::lu);
    REQUIRE(solver.factors().report().status == FactorStatus::success);
    CHECK(solver.factors().report().smallest_pivot == doctest::Approx(d * eps));
    CHECK(solver.factors().report().largest_pivot == doctest::Approx(1));
    SolveOptions off;
    off.condition_hint = false;
    CHECK_FALSE(solved(solver, off).condition_hint.has_value());
    const SolveReport report = solved(solver);
    REQUIRE(report.condition_hint.has_value());
    CHECK(*report.condition_hint <= 4.1 / (d * eps));
    CHECK(*report.condition_hint >= 4 / (d * eps) / 3);
    CHECK(report.ill_conditioned);
    CHECK(solved(solver).condition_hint == report.condition_hint);
    CHECK(condition_estimate(solver.factors()).ill_conditioned);
    SolveOptions part;
    part.part = SolvePart::forward;
    CHECK_FALSE(solved(solver, part).condition_hint.has_value());

    Solver<T> good = factored(definite_grid<T>(8), Factorization::llt);
    CHECK_FALSE(solved(good).condition_hint.has_value());
    CHECK_FALSE(solved(good).ill_conditioned);
}

TEST_CASE_TEMPLATE_APPLY(hint, Scalars);

/// D A D, d_j from 10^-decades to 1.
template<class T>
SparseMatrix<T> badly_scaled(SparseMatrix<T> a, double decades) {
    const auto d = [decades](index_t j) {
        return static_cast<real_t<T>>(std::pow(10.0, -decades * ((j * 37) % 101) / 100));
    };
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
            a.value[static_cast<std::size_t>(e)] *=
                d(j) * d(a.pattern.row[static_cast<std::size_t>(e)]);
    return a;
}

TEST_CASE_TEMPLATE_DEFINE("of L L^T the hint does not depend on the scaling", T, definite_hint) {
    constexpr double eps = std::numeric_limits<real_t<T>>::epsilon();
    const double decades = sizeof(real_t<T>) == sizeof(float) ? 4 : 7;
    for (const double scale : {0.0, decades})
        for (const ScalingMethod scaling : {ScalingMethod::automatic, ScalingMethod::none}) {
            CAPTURE(scale);
            const auto good = badly_scaled(definite_grid<T>(20), scale);
            Solver<T> solver = factored(good, Factorization::llt, scaling);
            REQUIRE(solver.factors().report().status == FactorStatus::success);
            CHECK_FALSE(solved(solver).condition_hint.has_value());
            // (1 1; 1 1 + d): definite, as far as rounding leaves it so.
            const Symmetry symmetry = is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric;
            const auto bad = badly_scaled(with_pivots<T>({64}, symmetry), scale);
            Solver<T> other = factored(bad, Factorization::llt, scaling);
            REQUIRE(other.factors().report().status == FactorStatus::success);
            const SolveReport report = solved(other);
            REQUIRE(report.condition_hint.has_value());
            CHECK(*report.condition_hint > 0.01 / eps);
        }
}

TEST_CASE_TEMPLATE_APPLY(definite_hint, Scalars);

TEST_CASE_TEMPLATE_DEFINE("Skeel's condition of singular factors is infinite", T, singular) {
    const ConditionEstimate c = condition_estimate(
        factored(with_pivots<T>({0}, Symmetry::general), Factorization::lu).factors());
    CHECK(std::isinf(c.skeel_condition));
    CHECK(c.ill_conditioned);
}

TEST_CASE_TEMPLATE_APPLY(singular, Scalars);
