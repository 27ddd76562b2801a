// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"
#include "refine_problem.hpp"
#include "scalar_lists.hpp"
#include "refinement/one_norm_estimate.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

double one_norm(const DenseMatrix& a) {
    long double largest = 0;
    for (index_t j = 0; j < a.cols; ++j) {
        long double sum = 0;
        for (index_t i = 0; i < a.rows; ++i) sum += std::abs(a(i, j));
        largest = std::max(largest, sum);
    }
    return static_cast<double>(largest);
}

template <class T>
DenseMatrix random_dense(index_t n, std::uint64_t seed) {
    Random random(seed);
    DenseMatrix a(n, n);
    for (Wide& v : a.data) v = widen(random.value<T>());
    return a;
}

/// 1 / i on the diagonal and a few large columns: rows and columns of very different sizes.
template <class T>
DenseMatrix graded_dense(index_t n, std::uint64_t seed) {
    DenseMatrix a = random_dense<T>(n, seed);
    for (index_t j = 0; j < n; ++j)
        for (index_t i = 0; i < n; ++i) a(i, j) *= std::exp(static_cast<long double>((i * 7 + j * 5) % 13 - 6));
    return a;
}

template <class T>
double estimate_of(const DenseMatrix& a, const OneNormOptions& options = {}) {
    return estimate_one_norm<T>(a.rows, apply_dense<T>(a), apply_dense<T>(apply_operation(a, Operation::adjoint)),
                                options);
}

template <class T>
double slack(index_t n) {
    return 1 + rounding_bound<T>(2 * n);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("exact when there are no more rows than vectors", T, exact_cases) {
    for (const index_t t : {1, 2, 5})
        for (index_t n = 1; n <= t; ++n) {
            const DenseMatrix a = random_dense<T>(n, static_cast<std::uint64_t>(10 * t + n));
            OneNormOptions options;
            options.columns = t;
            const double norm = one_norm(a), estimate = estimate_of<T>(a, options);
            CHECK(std::abs(estimate - norm) <= rounding_bound<T>(2 * n) * norm);
        }
    CHECK(estimate_of<T>(DenseMatrix(0, 0)) == 0);
}
TEST_CASE_TEMPLATE_APPLY(exact_cases, Scalars);

TEST_CASE_TEMPLATE_DEFINE("never above the norm, within a factor 3", T, bound_cases) {
    for (const index_t columns : {1, 2, 4})
        for (index_t n = 3; n <= 60; n += 3) {
            CAPTURE(n);
            const auto seed = static_cast<std::uint64_t>(n);
            for (const DenseMatrix& a :
                 {random_dense<T>(n, seed), graded_dense<T>(n, seed), inverse_of(random_dense<T>(n, seed))}) {
                OneNormOptions options;
                options.columns = columns;
                const double norm = one_norm(a), estimate = estimate_of<T>(a, options);
                CHECK(estimate <= norm * slack<T>(n));
                CHECK(estimate * 3 >= norm);
            }
        }
}
TEST_CASE_TEMPLATE_APPLY(bound_cases, Scalars);

TEST_CASE_TEMPLATE_DEFINE("nonnegative matrices: exact", T, nonnegative_cases) {
    // The signs of M e / n are those of the best subgradient: the second product finds the column.
    for (const index_t n : {7, 40}) {
        DenseMatrix a = random_dense<T>(n, 5);
        for (Wide& v : a.data) v = std::abs(v);
        const double norm = one_norm(a);
        CHECK(std::abs(estimate_of<T>(a) - norm) <= rounding_bound<T>(2 * n) * norm);
    }
}
TEST_CASE_TEMPLATE_APPLY(nonnegative_cases, Scalars);

TEST_CASE_TEMPLATE_DEFINE("the same matrix, the same estimate", T, repeated) {
    const DenseMatrix a = graded_dense<T>(50, 9);
    CHECK(estimate_of<T>(a) == estimate_of<T>(a));
}
TEST_CASE_TEMPLATE_APPLY(repeated, Scalars);

TEST_CASE_TEMPLATE_DEFINE("zero, infinite and NaN products end", T, odd_products) {
    const ApplyBlock<T> zero = [](DenseView<T> x) {
        for (index_t j = 0; j < x.cols; ++j) std::fill_n(x.column(j), x.rows, T(0));
    };
    CHECK(estimate_one_norm<T>(30, zero, zero) == 0);
    for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        const ApplyBlock<T> broken = [bad](DenseView<T> x) {
            for (index_t j = 0; j < x.cols; ++j) x(3, j) = T(static_cast<real_t<T>>(bad));
        };
        CHECK(estimate_one_norm<T>(30, broken, broken) == std::numeric_limits<double>::infinity());
    }
}
TEST_CASE_TEMPLATE_APPLY(odd_products, Scalars);

TEST_CASE("wrong options are refused") {
    const ApplyBlock<double> same = [](DenseView<double>) {};
    CHECK_THROWS_AS(estimate_one_norm<double>(3, same, same, {0, 5}), InvalidArgument);
    CHECK_THROWS_AS(estimate_one_norm<double>(-1, same, same), InvalidArgument);
}
