// SPDX-License-Identifier: BSD-3-Clause
// The hint of a large condition that solves give without being asked: of small systems always, of larger
// ones where their pivots suggest it.
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "random_sparse.hpp"
#include "rhs_block.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "singular_systems.hpp"
#include "tolerance.hpp"
#include "unscaled_factors.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// Small systems are those of at most so many entries of the factors, as predicted.
constexpr count_t few_factor_entries = 50'000;
constexpr index_t large_side = 100;  // of a grid that is not small

template <class T>
Solver<T> rightly_factored(const SparseMatrix<T>& a, Factorization kind, ScalingMethod scaling = ScalingMethod::none) {
    Solver<T> solver = factored(a, kind, scaling);
    REQUIRE(solver.factors().report().status == FactorStatus::success);
    return solver;
}

template <class T>
bool is_small(const Solver<T>& solver) {
    return solver.analysis()->cost.factor_entries <= few_factor_entries;
}

template <class T>
SolveReport solved(Solver<T>& solver, const SolveOptions& options = {}) {
    const index_t n = solver.analysis()->order;
    RhsBlock<T> b = RhsBlock<T>::random(n, 2, 5), x(n, 2);
    return solver.solve(std::as_const(b).view(), x.view(), options);
}

/// One pivot of d eps, and so many of 1 that the system is small or not.
template <class T>
SparseMatrix<T> one_small_pivot(double d, bool small, Symmetry symmetry) {
    constexpr double eps = std::numeric_limits<real_t<T>>::epsilon();
    std::vector<double> in_eps(small ? 1 : 20'000, 1 / eps);
    in_eps.front() = d;
    return with_pivots<T>(in_eps, symmetry);
}

/// Rows s^i (e_i - c (e_(i+1) + e_(i+2) + ...)): Kahan's triangle where s^2 + c^2 = 1. The inverse of such a one
/// with s = 1 has entries c (1 + c)^(n-2), and all pivots are 1.
template <class T>
SparseMatrix<T> triangle(index_t n, double s, double c) {
    EntryTable<T> table;
    for (index_t i = 0; i < n; ++i)
        for (index_t j = i; j < n; ++j) table[{j, i}] = T(static_cast<real_t<T>>(std::pow(s, i) * (i == j ? 1 : -c)));
    return from_table(n, table, Symmetry::general);
}

template <class T>
void check_hint_at(const SparseMatrix<T>& a) {
    AnalysisOptions options;
    options.factorization = Factorization::lu;
    Solver<T> solver(shared_session(), options);
    REQUIRE(solver.factor(a).status == FactorStatus::success);
    const SolveReport report = solved(solver);
    REQUIRE(report.condition_hint.has_value());
    CHECK(*report.condition_hint > 1 / static_cast<double>(std::numeric_limits<real_t<T>>::epsilon()));
    CHECK(report.ill_conditioned);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("of a small system the hint does not rely on pivots", T, hidden) {
    constexpr bool single = sizeof(real_t<T>) == sizeof(float);
    check_hint_at(triangle<T>(single ? 40 : 60, 1, 1));
    check_hint_at(triangle<T>(single ? 60 : 200, 0.8, 0.6));
    Solver<T> good = rightly_factored(definite_grid<T>(8), Factorization::llt);
    REQUIRE(is_small(good));
    const SolveReport report = solved(good);
    REQUIRE(report.condition_hint.has_value());
    CHECK(*report.condition_hint > 1);
    CHECK(*report.condition_hint < 1000);
    CHECK_FALSE(report.ill_conditioned);
}

TEST_CASE_TEMPLATE_APPLY(hidden, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a small system gets it once for an analysis, others by their pivots", T, once) {
    const SparseMatrix<T> a = definite_grid<T>(8);
    Solver<T> solver = rightly_factored(a, Factorization::llt);
    CHECK(solved(solver).condition_hint.has_value());
    solver.factor(a);
    CHECK_FALSE(solved(solver).condition_hint.has_value());
    solver.factor_values(a.value);
    CHECK_FALSE(solved(solver).condition_hint.has_value());
    solver.analyze(a);
    solver.factor(a);
    CHECK(solved(solver).condition_hint.has_value());
    const auto good = one_small_pivot<T>(1e6, true, Symmetry::general),
               bad = one_small_pivot<T>(30, true, Symmetry::general);
    Solver<T> general = rightly_factored(good, Factorization::lu);
    general.factor(bad);
    CHECK(solved(general).ill_conditioned);
}

TEST_CASE_TEMPLATE_APPLY(once, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a solve reports a large condition without being asked", T, hint) {
    constexpr double eps = std::numeric_limits<real_t<T>>::epsilon();
    constexpr double d = 30;  // (1 1; 1 1 + d eps): condition 4 / (d eps)
    for (const bool small : {true, false}) {
        CAPTURE(small);
        const auto near_singular = one_small_pivot<T>(d, small, Symmetry::general);
        Solver<T> solver = rightly_factored(near_singular, Factorization::lu);
        REQUIRE(is_small(solver) == small);
        CHECK(is_near(solver.factors().report().pivots.smallest, d * eps, 1 / d));  // a difference of numbers near 1
        CHECK(solver.factors().report().pivots.largest == doctest::Approx(1));
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
    }
    Solver<T> good = rightly_factored(definite_grid<T>(large_side), Factorization::llt);
    REQUIRE_FALSE(is_small(good));
    CHECK_FALSE(solved(good).condition_hint.has_value());
    CHECK_FALSE(solved(good).ill_conditioned);
}

TEST_CASE_TEMPLATE_APPLY(hint, Scalars);

/// D A D, d_j from 10^-decades to 1.
template <class T>
SparseMatrix<T> badly_scaled(SparseMatrix<T> a, double decades) {
    const auto d = [decades](index_t j) {
        return static_cast<real_t<T>>(std::pow(10.0, -decades * ((j * 37) % 101) / 100));
    };
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
            a.value[static_cast<std::size_t>(e)] *= d(j) * d(a.pattern.row[static_cast<std::size_t>(e)]);
    return a;
}

TEST_CASE_TEMPLATE_DEFINE("of L L^T the hint does not depend on the scaling", T, definite_hint) {
    constexpr double eps = std::numeric_limits<real_t<T>>::epsilon();
    const double decades = sizeof(real_t<T>) == sizeof(float) ? 4 : 7;
    for (const double scale : {0.0, decades})
        for (const ScalingMethod scaling : {ScalingMethod::automatic, ScalingMethod::none}) {
            CAPTURE(scale);
            const auto good = badly_scaled(definite_grid<T>(large_side), scale);
            Solver<T> solver = rightly_factored(good, Factorization::llt, scaling);
            REQUIRE_FALSE(is_small(solver));
            CHECK_FALSE(solved(solver).condition_hint.has_value());
            // (1 1; 1 1 + d): definite, as far as rounding leaves it so.
            const Symmetry symmetry = is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric;
            const auto bad = badly_scaled(one_small_pivot<T>(64, false, symmetry), scale);
            Solver<T> other = rightly_factored(bad, Factorization::llt, scaling);
            REQUIRE_FALSE(is_small(other));
            const SolveReport report = solved(other);
            REQUIRE(report.condition_hint.has_value());
            CHECK(*report.condition_hint > 0.01 / eps);
        }
}

TEST_CASE_TEMPLATE_APPLY(definite_hint, Scalars);
