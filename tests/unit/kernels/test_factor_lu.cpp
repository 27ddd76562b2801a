// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/kernels.hpp"
#include "kernel_checks.hpp"

#include <cmath>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
struct LuFactors {
    GuardedMatrix<T> a;
    std::vector<index_t> perm;
    PivotReport report;

    reference::Matrix<T> product() const {
        const auto u = reference::upper_triangle<T>(a.cols(), [&](index_t i, index_t j) { return a(i, j); });
        return exact_lower(a, true) * u;
    }

    double largest_l() const {
        double largest = 0;
        for (index_t j = 0; j < a.cols(); ++j)
            for (index_t i = j + 1; i < a.rows(); ++i)
                largest = std::max(largest, static_cast<double>(std::abs(a(i, j))));
        return largest;
    }
};

template <class T>
LuFactors<T> factor(const GuardedMatrix<T>& a, const PivotRule& rule = {}) {
    LuFactors<T> f{a, std::vector<index_t>(static_cast<std::size_t>(a.cols()), -1), {}};
    GuardedWorkspace<T> workspace(cpu::factor_lu_workspace(a.cols()));
    cpu::factor_lu<T>(f.a.view(), rule, f.perm.data(), workspace.data(), f.report);
    CHECK(workspace.intact());
    CHECK(f.a.padding_intact());
    CHECK(is_permutation_of(f.perm));
    return f;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("P A = L U", T, lu_cases) {
    for (const index_t n : orders)
        for (const double diagonal : {0.0, 3.0 * n}) {
            CAPTURE(n);
            CAPTURE(diagonal);
            auto a = random_matrix<T>(n, n, 31);
            for (index_t j = 0; j < n; ++j) a(j, j) += static_cast<real_t<T>>(diagonal);
            const auto f = factor(a);
            CHECK(reference::relative_difference(f.product(), reference::rows_permuted(exact(a), f.perm)) <=
                  rounding_bound<T>(n));
            CHECK(f.largest_l() <= (is_complex<T> ? 1.4143 : 1) * (1 + 10 * epsilon<T>()));
            CHECK(f.report.perturbed == 0);
            CHECK(f.report.zero == 0);
            double log_determinant = 0;
            for (index_t j = 0; j < n; ++j) log_determinant += std::log(std::abs(f.a(j, j)));
            CHECK(f.report.log_abs_determinant == doctest::Approx(log_determinant).epsilon((n + 1) * 4 * epsilon<T>()));
        }
}

TEST_CASE_TEMPLATE_APPLY(lu_cases, Scalars);

TEST_CASE_TEMPLATE_DEFINE("planted small pivots of LU are raised with their phase", T, lu_perturbation) {
    for (const index_t n : {6, 33, 100}) {
        CAPTURE(n);
        GuardedMatrix<T> a(n, n);
        for (index_t j = 0; j < n; ++j)
            for (index_t i = 0; i < n; ++i) a(i, j) = 0;
        count_t perturbed = 0, zeros = 0;
        for (index_t j = 0; j < n; ++j) {
            a(j, j) = T(2);
            if (j % 3 != 1) continue;
            a(j, j) = j % 2 ? T(-1e-5) : T(0);
            if constexpr (is_complex<T>)
                if (j % 2) a(j, j) = T(0, 1e-5);
            ++perturbed;
            zeros += j % 2 == 0;
        }
        const auto f = factor(a, {0.25, 1e-9});
        CHECK(f.report.perturbed == perturbed);
        CHECK(f.report.zero == zeros);
        for (index_t j = 1; j < n; j += 3) {
            const T expected = j % 2 == 0 ? T(0.25) : T(a(j, j) * (real_t<T>(0.25) / real_t<T>(1e-5)));
            CHECK(std::abs(f.a(j, j) - expected) <= 8 * epsilon<T>());
        }
    }
}

TEST_CASE_TEMPLATE_APPLY(lu_perturbation, Scalars);

TEST_CASE_TEMPLATE_DEFINE("dependent rows: one pivot of LU is raised", T, lu_singular) {
    for (const index_t n : {2, 8, 31, 64, 100}) {
        CAPTURE(n);
        auto a = random_matrix<T>(n, n, 32);
        for (index_t j = 0; j < n; ++j) a(n - 1, j) = a(0, j);
        const double limit = std::sqrt(epsilon<T>());
        const auto f = factor(a, {limit, limit / 10});
        CHECK(f.report.perturbed == 1);
        CHECK(f.report.zero == 1);
        CHECK(std::abs(f.a(n - 1, n - 1)) == doctest::Approx(limit));
    }
}

TEST_CASE_TEMPLATE_APPLY(lu_singular, Scalars);
