// SPDX-License-Identifier: BSD-3-Clause
// FactorReport::flops counts what ran: against hand counts where the first pass fails everywhere, and
// the prediction where it fails nowhere.
#include "forced_mapping.hpp"
#include "frond/enum_text.hpp"
#include "frond/frond.hpp"
#include "hard_systems.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

constexpr ForcedMapping in_a_subtree{"one subtree", 16, 1 << 20};

/// As given: no scaling, no matching, natural order.
template <class T>
FactorReport factored(const SparseMatrix<T>& a, Factorization kind, const ForcedMapping& mapping) {
    AnalysisOptions options;
    options.factorization = kind;
    options.ordering = OrderingMethod::natural;
    options.matching = MatchingMode::off;
    options.scaling = ScalingMethod::none;
    const AnalysisResult analysed = analyze(a, options);
    REQUIRE(analysed.analysis->tree.front_count() == 1);
    return factorize(shared_session(), remapped(*analysed.analysis, mapping), a, FactorOptions{}, &analysed.scaling)
        .report();
}

Symmetry symmetry_of(Factorization kind) { return kind == Factorization::lu ? Symmetry::general : Symmetry::symmetric; }

/// Full, diagonally dominant; the last row and column are 0 when singular.
template <class T>
SparseMatrix<T> dense(index_t n, Symmetry symmetry, bool singular) {
    Random random(5);
    SystemBuilder<T> a(n, symmetry);
    for (index_t j = 0; j < n; ++j)
        for (index_t i = j; i < n; ++i) {
            const T value = random.value<T>();
            const bool zero = singular && i == n - 1;
            a.couple(i, j, zero ? T(0) : i == j ? real_scalar<T>(2.0 * n) : value);
        }
    return a.matrix();
}

/// (d I, B; B^T, 100 I), d tiny against B: no column of the first half passes the test of its rows.
template <class T>
SparseMatrix<T> tiny_first_half(index_t half, Symmetry symmetry) {
    Random random(6);
    SystemBuilder<T> a(2 * half, symmetry);
    for (index_t j = 0; j < 2 * half; ++j)
        for (index_t i = j; i < 2 * half; ++i) {
            const T value = random.value<T>();
            const bool below = j < half && i >= half;
            const double diagonal = j < half ? 1e-7 : 100;
            a.couple(i, j, i == j ? real_scalar<T>(diagonal) : below ? value : T(0));
        }
    return a.matrix();
}

template <class T>
constexpr double operations = is_complex<T> ? 4.0 : 1.0;

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("a front with failed pivots of a subtree: both passes in full", T,
                          fronts_with_failed_pivots) {
    const index_t n = 200;
    const double cube = operations<T> * n * n * n;
    for (const Factorization kind : {Factorization::ldlt, Factorization::lu}) {
        CAPTURE(to_string(kind));
        const double one_pass = (kind == Factorization::lu ? 2 : 1) * cube / 3;
        const Symmetry symmetry = symmetry_of(kind);
        const FactorReport hard = factored(dense<T>(n, symmetry, true), kind, in_a_subtree);
        REQUIRE(hard.pivots.second_pass == n);
        CHECK(hard.work.flops == doctest::Approx(2 * one_pass).epsilon(0.03));
        const FactorReport good = factored(dense<T>(n, symmetry, false), kind, in_a_subtree);
        REQUIRE(good.pivots.second_pass == 0);
        CHECK(good.work.flops == doctest::Approx(one_pass).epsilon(0.02));
    }
}

TEST_CASE_TEMPLATE_APPLY(fronts_with_failed_pivots, DoubleScalars);

// Tiles of t columns. L D L^T, in t^3: the tasks of the first pass 1/3 + 1 + 1 + 1/3; panel 1 given
// back 1 + 1/3; panel 2 with t failed columns, solve 1, update 1; second pass 1/3.
// L U: 2/3 + 2 + 2 + 2/3; given back 1 + 2/3; solves 2, update 2; second pass 2/3.
TEST_CASE_TEMPLATE_DEFINE("a panel that is given back, on tiles", T, panels_given_back) {
    const index_t t = 96;
    const double cube = operations<T> * t * t * t;
    const ForcedMapping tiles{"two tiles", t, 0};
    for (const Factorization kind : {Factorization::ldlt, Factorization::lu}) {
        CAPTURE(to_string(kind));
        const FactorReport hard = factored(tiny_first_half<T>(t, symmetry_of(kind)), kind, tiles);
        REQUIRE(hard.pivots.second_pass == t);
        REQUIRE(hard.status == FactorStatus::success);
        CHECK(hard.work.flops == doctest::Approx((kind == Factorization::lu ? 35 : 19) * cube / 3).epsilon(0.04));
        const FactorReport good = factored(dense<T>(2 * t, symmetry_of(kind), false), kind, tiles);
        REQUIRE(good.pivots.second_pass == 0);
        CHECK(good.work.flops == doctest::Approx((kind == Factorization::lu ? 16 : 8) * cube / 3).epsilon(0.02));
    }
}

TEST_CASE_TEMPLATE_APPLY(panels_given_back, DoubleScalars);
