// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/kernels.hpp"
#include "kernel_checks.hpp"

#include <cmath>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
IndefiniteFactors<T> factor(const GuardedMatrix<T>& a, bool hermitian, const PivotRule& rule = {}) {
    const index_t n = a.cols();
    IndefiniteFactors<T> f{a,
                           std::vector<T>(2 * static_cast<std::size_t>(n), poison<T>()),
                           std::vector<index_t>(static_cast<std::size_t>(n), -1),
                           {}};
    GuardedWorkspace<T> workspace(cpu::factor_ldlt_workspace(n));
    cpu::factor_ldlt<T>(f.a.view(), hermitian, rule, f.pivots.data(), f.perm.data(), workspace.data(), f.report);
    CHECK(workspace.intact());
    CHECK(f.a.padding_intact());
    CHECK(f.a.strict_upper_is_poison());
    CHECK(is_permutation_of(f.perm));
    return f;
}

template <class T>
double largest_l(const GuardedMatrix<T>& l) {
    double largest = 0;
    for (index_t j = 0; j < l.cols(); ++j)
        for (index_t i = j + 1; i < l.rows(); ++i) largest = std::max(largest, static_cast<double>(std::abs(l(i, j))));
    return largest;
}

template <class T>
void check_pivot_layout(const IndefiniteFactors<T>& f, bool hermitian) {
    count_t two_by_two = 0;
    const index_t n = f.a.cols();
    for (index_t k = 0; k < n; ++k) {
        const auto at = 2 * static_cast<std::size_t>(k);
        CHECK(f.a(k, k) == T(1));
        if (hermitian) CHECK(f.pivots[at] == T(real_part(f.pivots[at])));
        if (f.pivots[at + 1] == T(0)) continue;
        ++two_by_two;
        REQUIRE(k + 1 < n);
        CHECK(f.pivots[at + 3] == T(0));
        CHECK(f.a(k + 1, k) == T(0));
    }
    CHECK(two_by_two == f.report.two_by_two);
}

/// A with rows and columns in pivot order.
template <class T>
reference::Matrix<T> permuted(const GuardedMatrix<T>& a, bool hermitian, const std::vector<index_t>& perm) {
    const auto rows = reference::rows_permuted(exact_mirrored(a, hermitian), perm);
    return reference::rows_permuted(rows.transposed(false), perm).transposed(false);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("P A P^T = L D L^T, L D L^H", T, ldlt_cases) {
    for (const index_t n : orders)
        for (const bool hermitian : {false, true})
            for (const double diagonal : {0.0, -0.5, 3.0 * n}) {
                CAPTURE(n);
                CAPTURE(hermitian);
                CAPTURE(diagonal);
                const auto a = random_lower<T>(n, 21, diagonal, hermitian);
                const auto f = factor(a, hermitian);
                check_pivot_layout(f, hermitian);
                const auto expected = permuted(a, hermitian, f.perm);
                CHECK(reference::relative_difference(f.product(hermitian), expected, in_lower) <=
                      rounding_bound<T>(4 * n));
                // Rook pivoting: |l| <= 1 / (1 - alpha) = 2.78; sqrt 2 for |re| + |im| searches,
                // twice, once in the numerator and once in the denominator.
                CHECK(largest_l(f.a) <= (is_complex<T> ? 2 : 1) * 2.781 * (1 + 100 * epsilon<T>()));
                CHECK(f.report.perturbed == 0);
            }
}

TEST_CASE_TEMPLATE_APPLY(ldlt_cases, Scalars);

TEST_CASE_TEMPLATE_DEFINE("zero diagonal needs 2x2 pivots", T, ldlt_zero_diagonal) {
    for (const index_t n : {2, 3, 8, 31, 64, 100, 150})
        for (const bool hermitian : {false, true}) {
            CAPTURE(n);
            auto a = random_lower<T>(n, 22, 0, hermitian);
            for (index_t j = 0; j < n; ++j) a(j, j) = 0;
            const auto f = factor(a, hermitian);
            check_pivot_layout(f, hermitian);
            CHECK(f.report.two_by_two > 0);
            CHECK(reference::relative_difference(f.product(hermitian), permuted(a, hermitian, f.perm), in_lower) <=
                  rounding_bound<T>(4 * n));
            CHECK(f.report.perturbed == 0);
        }
}

TEST_CASE_TEMPLATE_APPLY(ldlt_zero_diagonal, Scalars);

TEST_CASE_TEMPLATE_DEFINE("inertia of planted spectra", T, ldlt_inertia) {
    // A = B S B^H with B unit lower triangular and S of known signs: Sylvester's law.
    for (const index_t n : {1, 2, 9, 33, 64, 110})
        for (const index_t negative : {index_t(0), n / 3, n}) {
            CAPTURE(n);
            CAPTURE(negative);
            auto b = random_lower<T>(n, 23);
            for (index_t j = 0; j < n; ++j)
                for (index_t i = j; i < n; ++i) b(i, j) = i == j ? T(1) : b(i, j) / real_t<T>(n);
            reference::Matrix<T> s(n, n);
            for (index_t j = 0; j < n; ++j) s.set(j, j, (j * 7) % n < negative ? -1.0 - j % 3 : 1.0 + j % 3);
            index_t expected_negative = 0;
            for (index_t j = 0; j < n; ++j) expected_negative += std::real(s(j, j)) < 0 ? 1 : 0;
            const auto product = exact_lower(b, true) * s * exact_lower(b, true).transposed(true);
            GuardedMatrix<T> a(n, n);
            for (index_t j = 0; j < n; ++j)
                for (index_t i = j; i < n; ++i) a(i, j) = static_cast<T>(product(i, j));
            const auto f = factor(a, true);
            CHECK(f.report.negative == expected_negative);
            CHECK(f.report.positive == n - expected_negative);
            CHECK(f.report.zero == 0);
            const auto symmetric = factor(a, false);
            if (is_complex<T>) {
                CHECK(symmetric.report.negative == 0);
                CHECK(symmetric.report.positive == 0);
            }
        }
}

TEST_CASE_TEMPLATE_APPLY(ldlt_inertia, Scalars);

TEST_CASE_TEMPLATE_DEFINE("planted small pivots are raised and counted", T, ldlt_perturbation) {
    const double smallest = 1e-3, zero = 1e-6;
    for (const index_t n : {5, 32, 90, 140})
        for (const bool hermitian : {false, true}) {
            CAPTURE(n);
            // Diagonal: large, except every fifth: 1e-4, -1e-4 and 0 in turn; 2x2 blocks too small.
            GuardedMatrix<T> a(n, n);
            for (index_t j = 0; j < n; ++j)
                for (index_t i = j; i < n; ++i) a(i, j) = 0;
            count_t perturbed = 0, zeros = 0, negative = 0;
            for (index_t j = 0; j < n; ++j) {
                a(j, j) = real_t<T>(j % 2 ? -2 : 3);
                if (j % 5 == 4) {
                    const index_t turn = j / 5 % 3;
                    a(j, j) = real_t<T>(turn == 0 ? 1e-4 : turn == 1 ? -1e-4 : 0);
                    ++perturbed;
                    zeros += turn == 2;
                }
                negative += real_part(a(j, j)) < 0;
            }
            const auto f = factor(a, hermitian, {smallest, zero});
            CHECK(f.report.perturbed == perturbed);
            CHECK(f.report.zero == zeros);
            if (!is_complex<T> || hermitian) CHECK(f.report.negative == negative);
            for (index_t k = 0; k < n; ++k)
                CHECK(std::abs(f.pivots[2 * static_cast<std::size_t>(k)]) >=
                      real_t<T>(smallest * (1 - 4 * epsilon<T>())));
        }
}

TEST_CASE_TEMPLATE_APPLY(ldlt_perturbation, Scalars);

TEST_CASE_TEMPLATE_DEFINE("2x2 blocks below the limit become two raised 1x1 pivots", T, ldlt_small_two_by_two) {
    for (const bool hermitian : {false, true}) {
        GuardedMatrix<T> a(4, 4);
        for (index_t j = 0; j < 4; ++j)
            for (index_t i = j; i < 4; ++i) a(i, j) = 0;
        a(1, 0) = real_t<T>(1e-5);  // eigenvalues +-1e-5
        a(3, 2) = real_t<T>(2);  // eigenvalues +-2: a good 2x2 pivot
        const auto f = factor(a, hermitian, {1e-3, 0});
        CHECK(f.report.perturbed == 2);
        CHECK(f.report.two_by_two == 1);
        CHECK(largest_l(f.a) <= 1);
        if (!is_complex<T> || hermitian) CHECK(f.report.positive + f.report.negative == 4);
    }
}

TEST_CASE_TEMPLATE_APPLY(ldlt_small_two_by_two, Scalars);

TEST_CASE_TEMPLATE_DEFINE("zero block: every pivot is raised", T, ldlt_zero) {
    for (const index_t n : {1, 3, 40, 100}) {
        GuardedMatrix<T> a(n, n);
        for (index_t j = 0; j < n; ++j)
            for (index_t i = j; i < n; ++i) a(i, j) = 0;
        const auto f = factor(a, true, {0.5, 0});
        CHECK(f.report.perturbed == n);
        CHECK(f.report.zero == n);
        CHECK(f.report.positive == n);
        CHECK(f.report.log_abs_determinant == doctest::Approx(n * std::log(0.5)));
        CHECK(largest_l(f.a) == 0);
        for (index_t k = 0; k < n; ++k) CHECK(f.pivots[2 * static_cast<std::size_t>(k)] == T(0.5));
    }
}

TEST_CASE_TEMPLATE_APPLY(ldlt_zero, Scalars);
