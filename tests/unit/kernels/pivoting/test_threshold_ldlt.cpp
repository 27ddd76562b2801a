// SPDX-License-Identifier: BSD-3-Clause
#include "threshold_checks.hpp"

#include <cmath>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t second_pass_orders[] = {0, 1, 2, 3, 7, 20, 47, 48, 49, 70, 110};
constexpr index_t other_rows[] = {0, 1, 30};

/// The limit for null pivots of matrices with entries of size one.
template <class T>
double null_limit() {
    return 1e-1 * std::sqrt(epsilon<T>());
}

template <class T>
PivotRule rule(double u = 0.01) {
    return {1.0, null_limit<T>(), u};
}

/// Entry of the Schur complement that is left, whichever triangle holds it.
template <class T>
T left_entry(const SecondPassSymmetric<T>& front, index_t i, index_t j) {
    if (i >= j) return front.a(i, j);
    return front.hermitian ? conjugate(front.a(j, i)) : front.a(j, i);
}

/// Largest entry of column c in the rows left but c and t.
template <class T>
double largest_outside(const SecondPassSymmetric<T>& front, index_t c, index_t t) {
    double largest = 0;
    for (index_t i = front.outcome.kept; i < front.f + front.r; ++i)
        if (i != c && i != t) largest = std::max(largest, static_cast<double>(std::abs(left_entry(front, i, c))));
    return largest;
}

template <class T>
bool passes_alone(const SecondPassSymmetric<T>& front, index_t c, double u) {
    const double d = std::abs(front.a(c, c));
    return d > 2 * null_limit<T>() && d >= u * largest_outside(front, c, c);
}

/// The 2x2 test, for pairs whose determinant has lost no more than a bit.
template <class T>
bool passes_as_pair(const SecondPassSymmetric<T>& front, index_t c, index_t t, double u) {
    const T d1 = front.a(c, c), e = front.a(t, c), d2 = front.a(t, t);
    const double e2 = std::norm(e), product = std::abs(d1 * d2);
    const double determinant = std::abs(d1 * d2 - e * (front.hermitian ? conjugate(e) : e));
    if (!(determinant > 0.5 * std::max(e2, product)) || std::abs(e) < 10 * null_limit<T>()) return false;
    const double x = largest_outside(front, c, t), y = largest_outside(front, t, c);
    const double first = std::abs(d2) * x + std::abs(e) * y;
    const double second = std::abs(e) * x + std::abs(d1) * y;
    return std::max(first, second) <= determinant / u;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("second pass: L D L^T + S = P A P^T", T, second_pass_ldlt_random) {
    for (const index_t f : second_pass_orders)
        for (const index_t r : other_rows)
            for (const bool hermitian : {false, true})
                for (const double u : {0.01, 0.3}) {
                    CAPTURE(f);
                    CAPTURE(r);
                    CAPTURE(hermitian);
                    CAPTURE(u);
                    SecondPassSymmetric<T> front(f, r, hermitian);
                    front.fill_random(301);
                    front.run(rule<T>(u));
                    CHECK(front.outcome.null == 0);
                }
}

TEST_CASE_TEMPLATE_APPLY(second_pass_ldlt_random, Scalars);

TEST_CASE_TEMPLATE_DEFINE("second pass: zero diagonals and saddle blocks", T, second_pass_ldlt_saddle) {
    for (const index_t half : {1, 2, 10, 24, 40})
        for (const bool hermitian : {false, true})
            for (const int shape : {0, 1, 2}) {
                CAPTURE(half);
                CAPTURE(shape);
                SecondPassSymmetric<T> front(2 * half, 0, hermitian);
                RandomValues values(302);
                // 0: zero diagonal; 1: [0 A^T; A 0]; 2: [H B^T; B 0] with diagonal H
                front.fill([&](index_t i, index_t j) {
                    const bool upper_left = i < half, lower_right = j >= half;
                    if (shape == 0) return i == j ? T(0) : values.next<T>();
                    if (lower_right) return T(0);
                    if (upper_left) return shape == 2 && i == j ? values.next<T>() : T(0);
                    return values.next<T>();
                });
                front.run(rule<T>());
                CHECK(front.outcome.null == 0);
                if (shape != 2) CHECK(front.report.two_by_two > 0);
                if (shape != 0 && (!is_complex<T> || hermitian)) CHECK(front.report.negative == half);
            }
}

TEST_CASE_TEMPLATE_APPLY(second_pass_ldlt_saddle, Scalars);

TEST_CASE_TEMPLATE_DEFINE("second pass: rank-deficient blocks", T, second_pass_ldlt_rank) {
    for (const index_t f : {1, 5, 30, 60})
        for (const index_t r : {0, 13})
            for (const index_t rank : {index_t(0), f / 2, f - 1}) {
                CAPTURE(f);
                CAPTURE(r);
                CAPTURE(rank);
                // B S B^H, S = diag(1, -1, 1, ...)
                const auto b = exact(random_matrix<T>(f + r, rank, 303));
                reference::Matrix<T> s(rank, rank);
                for (index_t k = 0; k < rank; ++k) s.set(k, k, k % 2 ? -1 : 1);
                const auto product = b * s * b.transposed(true);
                SecondPassSymmetric<T> front(f, r, true);
                front.fill([&](index_t i, index_t j) { return static_cast<T>(product(i, j)); });
                front.run({1.0, std::cbrt(epsilon<T>()), 0.02});
                CHECK(front.outcome.kept == f);
                CHECK(front.outcome.null == f - rank);
                CHECK(front.report.negative == rank / 2);
            }
}

TEST_CASE_TEMPLATE_APPLY(second_pass_ldlt_rank, Scalars);

TEST_CASE_TEMPLATE_DEFINE("second pass: columns that are large in the other rows stay", T, second_pass_ldlt_delayed) {
    for (const index_t f : {1, 6, 50, 99})
        for (const index_t r : {1, 20})
            for (const bool hermitian : {false, true}) {
                CAPTURE(f);
                CAPTURE(r);
                const auto bad = [](index_t j) { return j % 4 == 0; };
                SecondPassSymmetric<T> front(f, r, hermitian);
                RandomValues values(304);
                front.fill([&](index_t i, index_t j) {
                    const T x = values.next<T>();
                    if (i >= f) return bad(j) ? T(x * real_t<T>(1e3) + T(1e3)) : x;
                    return bad(i) || bad(j) ? x * real_t<T>(1e-3) : x + T(i == j ? real_t<T>(2 * f) : 0);
                });
                front.run(rule<T>());
                index_t expected = 0;
                for (index_t j = 0; j < f; ++j) expected += !bad(j);
                CHECK(front.outcome.kept == expected);
                for (index_t k = 0; k < f; ++k) CHECK(bad(front.perm[static_cast<std::size_t>(k)]) == (k >= expected));
            }
}

TEST_CASE_TEMPLATE_APPLY(second_pass_ldlt_delayed, Scalars);

TEST_CASE_TEMPLATE_DEFINE("second pass: null columns", T, second_pass_ldlt_null) {
    for (const index_t f : {1, 9, 60})
        for (const index_t r : {0, 8}) {
            CAPTURE(f);
            CAPTURE(r);
            const auto null = [](index_t j) { return j % 3 == 0; };
            SecondPassSymmetric<T> front(f, r, false);
            RandomValues values(305);
            const auto tiny = static_cast<real_t<T>>(null_limit<T>() / 1e4);
            front.fill([&](index_t i, index_t j) {
                const T x = values.next<T>();
                return null(j) || (i < f && null(i)) ? x * tiny : x;
            });
            front.run(rule<T>());
            index_t expected = 0;
            for (index_t j = 0; j < f; ++j) expected += null(j);
            CHECK(front.outcome.null == expected);
            for (index_t k = 0; k < front.outcome.kept; ++k)
                if (front.pivots[2 * static_cast<std::size_t>(k)] == T(0) &&
                    front.pivots[2 * static_cast<std::size_t>(k) + 1] == T(0))
                    CHECK(null(front.perm[static_cast<std::size_t>(k)]));
        }
}

TEST_CASE_TEMPLATE_APPLY(second_pass_ldlt_null, Scalars);

TEST_CASE_TEMPLATE_DEFINE("second pass: what is left over has no acceptable pivot", T, second_pass_ldlt_maximal) {
    const double sizes[] = {0, 0, 0, 1, 1, 3, 1e-2, 1e2};
    RandomValues values(307);
    index_t left_over = 0;
    for (int sample = 0; sample < 400; ++sample) {
        CAPTURE(sample);
        const index_t f = 1 + values.below(8), r = values.below(4);
        const double u = sample % 2 ? 0.1 : 0.01;
        SecondPassSymmetric<T> front(f, r, sample % 3 == 0);
        front.fill([&](index_t, index_t) {
            const double size = sizes[values.below(8)];
            return values.next<T>() * static_cast<real_t<T>>(size);
        });
        front.run(rule<T>(u));
        left_over += f - front.outcome.kept;
        // Off by the rounding of a pivot just at the bound.
        for (index_t c = front.outcome.kept; c < f; ++c) {
            CHECK_FALSE(passes_alone(front, c, u * 1.5));
            for (index_t t = c + 1; t < f; ++t) CHECK_FALSE(passes_as_pair(front, c, t, u * 2));
        }
    }
    CHECK(left_over > 50);
}

TEST_CASE_TEMPLATE_APPLY(second_pass_ldlt_maximal, Scalars);

TEST_CASE_TEMPLATE_DEFINE("second pass: graded rows and columns", T, second_pass_ldlt_graded) {
    const double range = sizeof(real_t<T>) == 4 ? 10 : 100;
    for (const index_t f : {2, 11, 60})
        for (const index_t r : {0, 9})
            for (const double direction : {-1.0, 1.0}) {
                CAPTURE(f);
                CAPTURE(r);
                CAPTURE(direction);
                SecondPassSymmetric<T> front(f, r, true);
                RandomValues values(306);
                const auto scale = [&](index_t i) {
                    return std::pow(10.0, direction * range * (2.0 * i / (f + r) - 1) / 2);
                };
                front.fill([&](index_t i, index_t j) {
                    return values.next<T>() * static_cast<real_t<T>>(scale(i) * scale(j));
                });
                front.run({1.0, 0.0, 0.01});
            }
}

TEST_CASE_TEMPLATE_APPLY(second_pass_ldlt_graded, Scalars);

TEST_CASE_TEMPLATE_DEFINE("second pass: entries at the null limit, and NaN", T, second_pass_ldlt_edges) {
    // No pair and no pivot clearly above the limit, but no column null either.
    for (const double diagonal : {0.0, 0.9, 1.0, -1.0})
        for (const index_t f : {2, 3, 8}) {
            CAPTURE(diagonal);
            CAPTURE(f);
            const double limit = null_limit<T>();
            SecondPassSymmetric<T> front(f, 0, true);
            front.fill(
                [&](index_t i, index_t j) { return T(static_cast<real_t<T>>(limit * (i == j ? diagonal : 1.01))); });
            front.run(rule<T>(0.5));
        }
    for (const index_t r : {0, 3}) {
        GuardedMatrix<T> a(5 + r, 5);
        for (index_t j = 0; j < 5; ++j)
            for (index_t i = j; i < 5 + r; ++i) a(i, j) = T(std::nan(""));
        std::vector<T> pivots(10), workspace(static_cast<std::size_t>(cpu::factor_second_pass_ldlt_workspace(5, r)));
        std::vector<index_t> perm(5);
        PivotReport report;
        const auto outcome = cpu::factor_second_pass_ldlt<T>(a.view(), false, rule<T>(), pivots.data(), perm.data(),
                                                             workspace.data(), report);
        CHECK(outcome.kept == (r == 0 ? 5 : 0));
        CHECK(outcome.null == 0);
        if (r == 0) CHECK(std::isnan(std::abs(pivots[0])));
    }
}

TEST_CASE_TEMPLATE_APPLY(second_pass_ldlt_edges, Scalars);

TEST_CASE_TEMPLATE_DEFINE("second pass: an entry that is nothing beside the diagonal makes no pair", T,
                          second_pass_ldlt_tiny_partner) {
    // d1 d2 / e^2 overflows; column 0 is large in the row that may not be a pivot only.
    const T e = std::sqrt(std::numeric_limits<real_t<T>>::min()) / 100;
    T a[] = {T(1e-9), e, T(1), T(0), T(4), T(1)}, pivots[4], work[1000];
    REQUIRE(cpu::factor_second_pass_ldlt_workspace(2, 1) <= 1000);
    index_t perm[2];
    PivotReport report;
    const cpu::SecondPassOutcome outcome =
        cpu::factor_second_pass_ldlt<T>(DenseView<T>{a, 3, 2, 3}, false, rule<T>(), pivots, perm, work, report);
    CHECK(outcome.kept == 1);
    CHECK(outcome.null == 0);
    CHECK(perm[0] == 1);
    CHECK(pivots[0] == T(4));
    CHECK(pivots[1] == T(0));
}
TEST_CASE_TEMPLATE_APPLY(second_pass_ldlt_tiny_partner, Scalars);
