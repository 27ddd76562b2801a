// SPDX-License-Identifier: BSD-3-Clause
#include "threshold_checks.hpp"

#include <cmath>

using namespace frond;
using namespace frond::test;

namespace {

struct SecondPassSizes {
    index_t m, r, f, c;
};

constexpr SecondPassSizes second_pass_sizes[] = {{0, 0, 0, 0},    {1, 0, 1, 0},    {1, 2, 1, 3},      {2, 0, 2, 2},
                                                 {0, 0, 4, 3},    {0, 5, 4, 3},    {4, 0, 0, 3},      {4, 3, 0, 0},
                                                 {3, 2, 7, 4},    {7, 2, 3, 4},    {20, 0, 20, 9},    {30, 11, 47, 8},
                                                 {48, 5, 48, 0},  {49, 40, 49, 3}, {100, 30, 60, 20}, {60, 0, 110, 7},
                                                 {110, 9, 110, 1}};

template <class T>
double null_limit() {
    return 1e-1 * std::sqrt(epsilon<T>());
}

template <class T>
PivotRule rule(double u = 0.01) {
    return {1.0, null_limit<T>(), u};
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("second pass: L U + S = P A Q", T, second_pass_lu_random) {
    for (const auto [m, r, f, c] : second_pass_sizes)
        for (const double u : {0.01, 0.5}) {
            CAPTURE(m);
            CAPTURE(r);
            CAPTURE(f);
            CAPTURE(c);
            SecondPassGeneral<T> front(m, r, f, c);
            front.fill_random(311);
            front.run(rule<T>(u));
            if (u < 0.1) CHECK(front.outcome.kept == std::min(m, f));
            if (r > 0) CHECK(front.outcome.null == 0);
            if (r == 0) CHECK(front.outcome.null == f - std::min(m, f));
        }
}

TEST_CASE_TEMPLATE_APPLY(second_pass_lu_random, Scalars);

TEST_CASE_TEMPLATE_DEFINE("second pass: good pivots in later rows or columns only", T, second_pass_lu_order) {
    for (const index_t n : {2, 18, 64, 100})
        for (const int shape : {0, 1}) {
            CAPTURE(n);
            CAPTURE(shape);
            const index_t r = 6;
            SecondPassGeneral<T> front(n, r, n, 3);
            RandomValues values(312);
            // 0: the first columns have their entries in the last rows and the other way round;
            // 1: anti-diagonal
            front.fill([&](index_t i, index_t j) {
                const T x = values.next<T>();
                if (shape == 0) return (i < n / 2) == (j < n / 2) && i < n ? T(0) : x;
                return i + j == n - 1 || i >= n ? x + T(2) : T(0);
            });
            front.run(rule<T>());
            CHECK(front.outcome.kept == n);
        }
}

TEST_CASE_TEMPLATE_APPLY(second_pass_lu_order, Scalars);

TEST_CASE_TEMPLATE_DEFINE("second pass: a column waits until another was eliminated", T, second_pass_lu_waits) {
    // For u = 0.02 column 0, 3 against 200 in the other row, fails until column 1 was eliminated;
    // then it holds 3.25 and 155.
    const double entry[3][2] = {{1, 1}, {-3, 0.25}, {200, 45}};
    SecondPassGeneral<T> front(2, 1, 2, 1);
    front.fill([&](index_t i, index_t j) { return T(static_cast<real_t<T>>(entry[i][j])); });
    front.run(rule<T>(0.02));
    CHECK(front.outcome.kept == 2);
    CHECK(front.column_perm[0] == 1);
}

TEST_CASE_TEMPLATE_APPLY(second_pass_lu_waits, Scalars);

TEST_CASE_TEMPLATE_DEFINE("second pass: columns that are large in the other rows stay, LU", T, second_pass_lu_delayed) {
    for (const index_t f : {1, 8, 50, 99})
        for (const index_t m : {f, f + 7}) {
            CAPTURE(f);
            CAPTURE(m);
            const auto bad = [](index_t j) { return j % 4 == 0; };
            SecondPassGeneral<T> front(m, 5, f, 4);
            RandomValues values(314);
            front.fill([&](index_t i, index_t j) {
                const T x = values.next<T>();
                if (i >= m) return bad(j) ? T(x * real_t<T>(1e3) + T(1e3)) : x;
                return bad(j) ? x * real_t<T>(1e-3) : x + T(i == j ? real_t<T>(2 * f) : 0);
            });
            front.run(rule<T>());
            index_t expected = 0;
            for (index_t j = 0; j < f; ++j) expected += !bad(j);
            CHECK(front.outcome.kept == expected);
            CHECK(front.outcome.null == 0);
            for (index_t k = expected; k < f; ++k) CHECK(bad(front.column_perm[static_cast<std::size_t>(k)]));
        }
}

TEST_CASE_TEMPLATE_APPLY(second_pass_lu_delayed, Scalars);

TEST_CASE_TEMPLATE_DEFINE("second pass: null columns and rank, LU", T, second_pass_lu_null) {
    for (const index_t f : {1, 9, 60})
        for (const index_t r : {0, 8})
            for (const index_t rank : {index_t(0), f / 2, f - 1}) {
                CAPTURE(f);
                CAPTURE(r);
                CAPTURE(rank);
                const auto b = exact(random_matrix<T>(f + 2 + r, rank, 315));
                const auto product = b * exact(random_matrix<T>(rank, f, 316));
                SecondPassGeneral<T> front(f + 2, r, f, 3);
                front.fill([&](index_t i, index_t j) { return static_cast<T>(product(i, j)); });
                front.run({1.0, std::cbrt(epsilon<T>()), 0.02});
                CHECK(front.outcome.kept == rank);
                CHECK(front.outcome.null == f - rank);
            }
    // null, left over and kept columns in one block
    SecondPassGeneral<T> front(9, 2, 9, 2);
    RandomValues values(317);
    front.fill([&](index_t i, index_t j) {
        const T x = values.next<T>();
        if (j % 3 == 0) return x * static_cast<real_t<T>>(null_limit<T>() / 4);
        if (j % 3 == 1) return i < 9 ? x * real_t<T>(1e-3) : T(x + T(1e3));
        return x;
    });
    front.run(rule<T>());
    CHECK(front.outcome.kept == 3);
    CHECK(front.outcome.null == 3);
    for (std::size_t k = 0; k < 9; ++k) CHECK(front.column_perm[k] % 3 == (k < 3 ? 2 : k < 6 ? 0 : 1));
}

TEST_CASE_TEMPLATE_APPLY(second_pass_lu_null, Scalars);

TEST_CASE_TEMPLATE_DEFINE("second pass: graded rows and columns, LU", T, second_pass_lu_graded) {
    const double range = sizeof(real_t<T>) == 4 ? 10 : 100;
    for (const index_t f : {2, 11, 60})
        for (const index_t r : {0, 9})
            for (const double direction : {-1.0, 1.0}) {
                CAPTURE(f);
                CAPTURE(r);
                CAPTURE(direction);
                SecondPassGeneral<T> front(f, r, f, 0);
                RandomValues values(318);
                const auto scale = [&](index_t i) {
                    return std::pow(10.0, direction * range * (2.0 * i / (f + r) - 1) / 2);
                };
                front.fill([&](index_t i, index_t j) {
                    return values.next<T>() * static_cast<real_t<T>>(scale(i) * scale(j));
                });
                front.run({1.0, 0.0, 0.01});
                CHECK(front.outcome.null == 0);
            }
}

TEST_CASE_TEMPLATE_APPLY(second_pass_lu_graded, Scalars);
