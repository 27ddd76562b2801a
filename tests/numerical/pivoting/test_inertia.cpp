// SPDX-License-Identifier: BSD-3-Clause
// Inertia and determinant where signs of pivots are easily lost: null pivots without threshold
// pivoting, products that leave the range of the scalar, structural rank that rounding hides.
#include "forced_mapping.hpp"
#include "frond/frond.hpp"
#include "hard_systems.hpp"
#include "rhs_block.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <utility>

using namespace frond;
using namespace frond::test;

namespace {

const ForcedMapping mappings[] = {{"one subtree", 16, 1 << 20}, {"tiles of 16", 16, 0}};

constexpr Pivoting pivotings[] = {Pivoting::none, Pivoting::static_pivots, Pivoting::threshold};

template <class T>
constexpr Symmetry symmetry_of = is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric;

template <class T>
constexpr Factorization kind_of = is_complex<T> ? Factorization::ldlh : Factorization::ldlt;

template <class T>
Factors<T> factored(const SparseMatrix<T>& a, const ForcedMapping& mapping, Pivoting pivoting) {
    AnalysisOptions options;
    options.factorization = kind_of<T>;
    options.scaling = ScalingMethod::none;
    options.matching = MatchingMode::off;
    const AnalysisResult result = analyze(a, options);
    FactorOptions factor_options;
    factor_options.pivoting = pivoting;
    return factorize(shared_session(), remapped(*result.analysis, mapping), a, factor_options, &result.scaling);
}

template <class T>
SparseMatrix<T> two_by_two(T d1, T e, T d2) {
    SystemBuilder<T> a(2, symmetry_of<T>);
    a.set(0, 0, d1);
    a.set(1, 0, e);
    a.set(1, 1, d2);
    return a.matrix();
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("an inertia that is given counts every column once", T, sums) {
    const double tiny = 0.25 * std::numeric_limits<real_t<T>>::epsilon();
    const SparseMatrix<T> ones = two_by_two(T(1), T(1), T(1));
    const SparseMatrix<T> small = two_by_two(T(1), T(0), real_scalar<T>(tiny));
    const SparseMatrix<T> good = two_by_two(T(2), T(1), T(2));
    for (const ForcedMapping& mapping : mappings)
        for (const Pivoting pivoting : pivotings) {
            CAPTURE(static_cast<int>(pivoting));
            const bool tested = pivoting == Pivoting::threshold;
            // Rounding explains a zero of the one, and not the small entry of the other.
            for (const auto& [a, zero] : {std::pair{&ones, 1}, std::pair{&small, 0}}) {
                const FactorReport report = factored(*a, mapping, pivoting).report();
                CHECK((report.status == FactorStatus::success) == (tested && zero == 0));
                REQUIRE(report.pivots.inertia.has_value() == tested);
                if (!report.pivots.inertia) continue;
                CHECK(report.pivots.inertia->negative == 0);
                CHECK(report.pivots.inertia->zero == zero);
                CHECK(report.pivots.inertia->positive == 2 - zero);
            }
            const FactorReport report = factored(good, mapping, pivoting).report();
            REQUIRE(report.pivots.inertia.has_value());
            CHECK(report.pivots.inertia->positive == 2);
        }
}

TEST_CASE_TEMPLATE_APPLY(sums, Scalars);

TEST_CASE_TEMPLATE_DEFINE("static pivots that let rounding grow across tiles give no inertia", T, growth) {
    // (D B; B^H C), D = small I: the Schur complement of D is C - B^H B / small, and C is lost in it.
    const double small = 8 * std::sqrt(std::numeric_limits<real_t<T>>::epsilon());
    constexpr index_t half = 16;
    SystemBuilder<T> a(2 * half, symmetry_of<T>);
    for (index_t j = 0; j < half; ++j) {
        a.set(j, j, real_scalar<T>(small));
        a.set(half + j, half + j, real_scalar<T>(0.5));
        for (index_t i = 0; i < half; ++i)
            a.set(half + i, j, real_scalar<T>(i == j ? 1 : 0.015625 * ((i + 2 * j) % 3)));
    }
    for (const ForcedMapping& mapping : mappings)
        for (const Pivoting pivoting : pivotings) {
            CAPTURE(mapping.name);
            CAPTURE(static_cast<int>(pivoting));
            const Factors<T> factors = factored(a.matrix(), mapping, pivoting);
            const FactorReport& report = factors.report();
            CHECK(report.status == FactorStatus::success);
            const bool grew = report.pivots.largest > 100;
            CHECK(report.pivots.inertia.has_value() == !grew);
            CHECK(factors.log_determinant().has_value() == !grew);
            if (pivoting == Pivoting::threshold) CHECK(!grew);
            if (!report.pivots.inertia) continue;
            CHECK(report.pivots.inertia->negative == half);
            CHECK(report.pivots.inertia->positive == half);
        }
}

TEST_CASE_TEMPLATE_APPLY(growth, Scalars);

TEST_CASE_TEMPLATE_DEFINE("quasi-definite matrices keep their inertia however their pivots grow", T, quasi) {
    // (H B^H; B -delta I) of an interior point method: H goes apart, and every pivot keeps the sign of its diagonal.
    const bool is_single = sizeof(real_t<T>) == sizeof(float);
    const double least = is_single ? 1e-5 : 1e-8;
    constexpr index_t unknowns = 240, constraints = 120;
    SystemBuilder<T> a(unknowns + constraints, symmetry_of<T>);
    for (index_t j = 0; j < unknowns; ++j) {
        a.set(j, j, real_scalar<T>(least * std::pow(10.0, (j * 7 % 11) * (is_single ? 0.6 : 1.0))));
    }
    for (index_t i = 0; i < constraints; ++i) {
        a.set(unknowns + i, unknowns + i, real_scalar<T>(-least));
        for (index_t k = 0; k < 3; ++k)
            a.set(unknowns + i, (2 * i + (k * k + 1) * 29) % unknowns, real_scalar<T>(1 + 0.0625 * ((i + 3 * k) % 7)));
    }
    for (const ForcedMapping& mapping : mappings)
        for (const Pivoting pivoting : {Pivoting::none, Pivoting::threshold}) {
            CAPTURE(mapping.name);
            CAPTURE(static_cast<int>(pivoting));
            const FactorReport report = factored(a.matrix(), mapping, pivoting).report();
            CHECK(report.status == FactorStatus::success);
            if (pivoting == Pivoting::none) CHECK(report.pivots.largest > 100);
            REQUIRE(report.pivots.inertia.has_value());
            CHECK(report.pivots.inertia->negative == constraints);
            CHECK(report.pivots.inertia->positive == unknowns);
        }
}

TEST_CASE_TEMPLATE_APPLY(quasi, Scalars);

TEST_CASE_TEMPLATE_DEFINE("2x2 pivots whose determinant leaves the range of the scalar", T, ranges) {
    // Their squares lie outside: 1e-200 and 1e200 in double, 1e-25 and 1e25 in single precision.
    const int digits = sizeof(real_t<T>) == 4 ? 25 : 200;
    for (const int exponent : {-digits, digits})
        for (const double diagonal : {0.0, 0.25})
            for (const ForcedMapping& mapping : mappings)
                for (const Pivoting pivoting : pivotings) {
                    CAPTURE(exponent);
                    CAPTURE(diagonal);
                    CAPTURE(mapping.name);
                    CAPTURE(static_cast<int>(pivoting));
                    const double size = std::pow(10.0, exponent);
                    T e = real_scalar<T>(size);
                    if constexpr (is_complex<T>) e *= T(0, 1);
                    const T d = real_scalar<T>(diagonal * size);
                    const Factors<T> factors = factored(two_by_two(d, e, d), mapping, pivoting);
                    CHECK(factors.report().status == FactorStatus::success);
                    CHECK(factors.report().pivots.two_by_two == 1);
                    REQUIRE(factors.report().pivots.inertia.has_value());
                    CHECK(factors.report().pivots.inertia->negative == 1);
                    CHECK(factors.report().pivots.inertia->zero == 0);
                    CHECK(factors.report().pivots.inertia->positive == 1);
                    const auto determinant = factors.log_determinant();
                    REQUIRE(determinant.has_value());
                    const double expected = std::log(1 - diagonal * diagonal) + 2 * std::log(size);
                    // A dozen operations with the pivot, then logarithms in double precision.
                    const double of_pivot = rounding_bound<T>(12);
                    CHECK(std::abs(determinant->log_abs - expected) <=
                          of_pivot + std::abs(expected) * rounding_bound<double>(4));
                    CHECK(std::abs(determinant->phase + T(1)) <= of_pivot);
                }
}

TEST_CASE_TEMPLATE_APPLY(ranges, Scalars);

TEST_CASE_TEMPLATE_DEFINE("structural rank that rounding hides leaves the inertia open", T, hidden) {
    // A(wide.., wide..) = 0, and its `narrow` rows of other columns are fewer than its columns.
    const index_t narrow = 12, wide = 20;
    index_t open = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Random random(seed);
        SystemBuilder<T> a(narrow + wide, symmetry_of<T>);
        for (index_t j = 0; j < narrow; ++j) {
            a.set(j, j, real_scalar<T>(3 + j));
            for (index_t i = j + 1; i < narrow + wide; ++i) a.set(i, j, random.value<T>());
        }
        AnalysisOptions options;
        options.factorization = kind_of<T>;
        options.matching = MatchingMode::on;
        Solver<T> solver(shared_session(), options);
        FactorOptions factor;
        for (const double tolerance : {double(std::numeric_limits<real_t<T>>::min()), 0.0}) {
            factor.null_pivot_tolerance = tolerance;  // the first: nothing but 0 is null
            const FactorReport report = solver.factor(a.matrix(), factor);
            REQUIRE(solver.analysis()->report.structural_rank == 2 * narrow);
            CHECK(report.status == FactorStatus::singular);
            open += !report.pivots.inertia;
            if (!report.pivots.inertia) continue;
            CHECK(report.pivots.inertia->zero == wide - narrow);
            CHECK(report.pivots.inertia->negative == narrow);
        }
        CHECK(solver.factors().report().pivots.inertia.has_value());
    }
    CHECK(open > 0);
}

TEST_CASE_TEMPLATE_APPLY(hidden, Scalars);

namespace {

/// A tree with chords whose edges have weights 2^0 to 2^8, `components` of them, and `shift` on the diagonal.
template <class T>
SparseMatrix<T> weighted_laplacian(index_t n, index_t components, double shift, std::uint64_t seed) {
    Random random(seed);
    SystemBuilder<T> a(n, symmetry_of<T>);
    for (index_t i = 0; i < n; ++i) a.set(i, i, real_scalar<T>(shift));
    for (index_t i = components; i < n; ++i)
        for (int edge = 0; edge < 3; ++edge) {
            const index_t j = random.below(i / components) * components + i % components;
            const T weight = real_scalar<T>(std::exp2(random.below(9)));
            a.set(i, i, a.get(i, i) + weight);
            a.set(j, j, a.get(j, j) + weight);
            a.set(i, j, a.get(i, j) - weight);
        }
    return a.matrix();
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("semidefinite matrices do not pass for definite ones", T, semidefinite) {
    constexpr index_t n = 90;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const index_t components = 1 + static_cast<index_t>(seed % 3);
        const SparseMatrix<T> a = weighted_laplacian<T>(n, components, 0, seed);
        Solver<T> solver(shared_session());
        const FactorReport report = solver.factor(a);
        CHECK(report.status == FactorStatus::singular);
        REQUIRE(report.pivots.inertia.has_value());
        CHECK(report.pivots.inertia->negative == 0);
        CHECK(report.pivots.inertia->zero == components);
        CHECK_FALSE(solver.log_determinant().has_value());

        AnalysisOptions options;
        options.factorization = Factorization::llt;
        Solver<T> definite(shared_session(), options);
        const FactorReport asked = definite.factor(a);
        CHECK(asked.status == FactorStatus::not_positive_definite);
        CHECK(asked.pivots.failed_column >= 0);
        CHECK_FALSE(asked.pivots.inertia.has_value());
        CHECK_FALSE(definite.log_determinant().has_value());

        const Factors<T> unpivoted = factored(a, mappings[seed % 2], Pivoting::none);
        CHECK_FALSE(unpivoted.report().pivots.inertia.has_value());
        CHECK_FALSE(unpivoted.log_determinant().has_value());

        const FactorReport& regular = solver.factor(weighted_laplacian<T>(n, components, 0.25, seed));
        CHECK(regular.status == FactorStatus::success);
        CHECK(regular.pivots.inertia->positive == n);
        CHECK(definite.factor(weighted_laplacian<T>(n, components, 0.25, seed)).status == FactorStatus::success);
    }
}

TEST_CASE_TEMPLATE_APPLY(semidefinite, Scalars);

TEST_CASE_TEMPLATE_DEFINE("the phase of a determinant is exact but for its last rounding", T, phase) {
    constexpr index_t n = 3000;
    Random random(3);
    SystemBuilder<T> a(n, Symmetry::general);
    std::complex<long double> expected = 1;
    for (index_t j = 0; j < n; ++j) {
        const T value = random.value<T>();
        a.set(j, j, value);
        const std::complex<long double> wide(std::real(value), std::imag(value));
        expected *= wide / std::abs(wide);
    }
    AnalysisOptions options;
    options.scaling = ScalingMethod::none;
    Solver<T> solver(shared_session(), options);
    REQUIRE(solver.factor(a.matrix()).status == FactorStatus::success);
    const auto determinant = solver.log_determinant();
    REQUIRE(determinant.has_value());
    const std::complex<long double> found(std::real(determinant->phase), std::imag(determinant->phase));
    CHECK(std::abs(found - expected) <= rounding_bound<T>(2) + rounding_bound<double>(6 * n));
}

TEST_CASE_TEMPLATE_APPLY(phase, Scalars);

namespace {

/// A regular matrix of inertia (2, 0, 2), times `size`.
template <class T>
SparseMatrix<T> four_by_four(double size) {
    SystemBuilder<T> a(4, symmetry_of<T>);
    const double lower[][4] = {{1}, {1, -1}, {1, -1.2, -1}, {0, 0, 0.1, -0.01}};
    for (index_t i = 0; i < 4; ++i)
        for (index_t j = 0; j <= i; ++j)
            if (lower[i][j] != 0) a.set(i, j, real_scalar<T>(lower[i][j] * size));
    return a.matrix();
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("pivots that leave the range of the scalar are no success", T, overflow) {
    const double huge = sizeof(real_t<T>) == 4 ? 2e38 : 1e308;
    index_t overflowed = 0;
    for (const ForcedMapping& mapping : mappings)
        for (const Factorization kind : {kind_of<T>, Factorization::lu})
            for (const Pivoting pivoting : pivotings) {
                CAPTURE(mapping.name);
                CAPTURE(static_cast<int>(kind));
                CAPTURE(static_cast<int>(pivoting));
                AnalysisOptions options;
                options.factorization = kind;
                options.ordering = OrderingMethod::natural;
                options.matching = MatchingMode::off;
                for (const ScalingMethod scaling : {ScalingMethod::none, ScalingMethod::automatic}) {
                    options.scaling = scaling;
                    const SparseMatrix<T> a = four_by_four<T>(huge);
                    const AnalysisResult result = analyze(a, options);
                    FactorOptions factor;
                    factor.pivoting = pivoting;
                    const Factors<T> factors =
                        factorize(shared_session(), remapped(*result.analysis, mapping), a, factor, &result.scaling);
                    const FactorReport& report = factors.report();
                    const bool is_over = report.status == FactorStatus::overflowed;
                    overflowed += is_over;
                    CHECK((is_over || report.status == FactorStatus::success));
                    CHECK((scaling == ScalingMethod::none || !is_over));
                    CHECK(factors.log_determinant().has_value() == !is_over);
                    CHECK(report.pivots.inertia.has_value() == (!is_over && kind != Factorization::lu));
                    if (report.pivots.inertia) CHECK(report.pivots.inertia->negative == 2);
                    if (!is_over) continue;
                    RhsBlock<T> b = RhsBlock<T>::random(4, 1, 5), x(4, 1);
                    CHECK_THROWS_AS(static_cast<void>(frond::solve<T>(factors, std::as_const(b).view(), x.view())),
                                    InvalidArgument);
                }
            }
    CHECK(overflowed > 0);
}

TEST_CASE_TEMPLATE_APPLY(overflow, Scalars);

TEST_CASE_TEMPLATE_DEFINE("tiny and huge matrices are as regular as others", T, tiny) {
    const double least = sizeof(real_t<T>) == 4 ? 1e-37 : 1e-307;
    for (const double size : {least, 0.1 / least})
        for (const Factorization kind : {kind_of<T>, Factorization::lu}) {
            CAPTURE(size);
            AnalysisOptions options;
            options.factorization = kind;
            Solver<T> solver(shared_session(), options);
            const FactorReport& report =
                solver.factor(two_by_two(real_scalar<T>(size), real_scalar<T>(size), real_scalar<T>(0.95 * size)));
            CHECK(report.status == FactorStatus::success);
            if (kind != Factorization::lu) {
                REQUIRE(report.pivots.inertia.has_value());
                CHECK(report.pivots.inertia->negative == 1);
                CHECK(report.pivots.inertia->positive == 1);
            }
            std::vector<T> b(2, real_scalar<T>(size)), x(2);
            CHECK(solver.solve(b, x).status == SolveStatus::converged);
            CHECK(std::abs(x[0] - T(1)) <= rounding_bound<T>(400));  // the condition is 80
        }
}

TEST_CASE_TEMPLATE_APPLY(tiny, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a subnormal entry is an entry", T, subnormal) {
    const double entry = 0.5 * std::numeric_limits<real_t<T>>::min();
    for (const ScalingMethod scaling : {ScalingMethod::automatic, ScalingMethod::equilibrate}) {
        AnalysisOptions options;
        options.scaling = scaling;
        Solver<T> solver(shared_session(), options);
        const FactorReport& report = solver.factor(two_by_two(T(1), real_scalar<T>(entry), T(0)));
        CHECK(report.status == FactorStatus::success);
        REQUIRE(report.pivots.inertia.has_value());
        CHECK(report.pivots.inertia->negative == 1);
        CHECK(report.pivots.inertia->positive == 1);
    }
}

TEST_CASE_TEMPLATE_APPLY(subnormal, Scalars);
