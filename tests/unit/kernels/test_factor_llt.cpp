// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/kernels.hpp"
#include "kernel_checks.hpp"

#include <cmath>

using namespace frond;
using namespace frond::test;

TEST_CASE_TEMPLATE_DEFINE("L L^H = A", T, llt_cases) {
    for (const index_t n : orders) {
        CAPTURE(n);
        const auto a = random_lower<T>(n, 11, 2.0 * n + 1, true);
        auto l = a;
        PivotReport report;
        cpu::factor_llt<T>(l.view(), report);
        CHECK(report.failed_column == -1);
        CHECK(report.positive == n);
        const auto product = exact_lower(l, false) * exact_lower(l, false).transposed(true);
        CHECK(reference::relative_difference(product, exact_mirrored(a, true), in_lower) <= rounding_bound<T>(n));
        CHECK(l.strict_upper_is_poison());
        CHECK(l.padding_intact());
        double log_determinant = 0;
        PivotSizes sizes;
        for (index_t j = 0; j < n; ++j) {
            log_determinant += 2 * std::log(static_cast<double>(real_part(l(j, j))));
            sizes.see(std::pow(static_cast<double>(real_part(l(j, j))), 2));
        }
        if (n > 0) CHECK(report.sizes.smallest == doctest::Approx(sizes.smallest).epsilon(8 * epsilon<T>()));
        CHECK(report.sizes.largest == doctest::Approx(sizes.largest).epsilon(8 * epsilon<T>()));
        CHECK(report.log_abs_determinant == doctest::Approx(log_determinant).epsilon((n + 1) * 4 * epsilon<T>()));
    }
}

TEST_CASE_TEMPLATE_APPLY(llt_cases, Scalars);

TEST_CASE_TEMPLATE_DEFINE("the first column that is not positive is named", T, llt_failures) {
    for (const index_t n : {1, 7, 33, 65, 100, 129})
        for (const double bad : {-1.0, 0.0, std::nan(""), HUGE_VAL, -HUGE_VAL})
            for (const index_t column : {index_t(0), n / 2, n - 1}) {
                CAPTURE(n);
                CAPTURE(bad);
                CAPTURE(column);
                // Unit diagonal and nothing else before the bad column, so that it is exactly bad.
                GuardedMatrix<T> a(n, n);
                for (index_t j = 0; j < n; ++j)
                    for (index_t i = j; i < n; ++i) a(i, j) = i == j ? T(1) : T(0);
                a(column, column) = static_cast<real_t<T>>(bad);
                PivotReport report;
                cpu::factor_llt<T>(a.view(), report);
                CHECK(report.failed_column == column);
                CHECK(report.positive == column);
            }
}

TEST_CASE_TEMPLATE_APPLY(llt_failures, Scalars);

TEST_CASE_TEMPLATE_DEFINE("the imaginary part of a Hermitian diagonal is ignored", T, llt_imaginary) {
    if constexpr (is_complex<T>) {
        for (const index_t n : {1, 5, 40, 70}) {
            const auto a = random_lower<T>(n, 12, 2.0 * n + 1, true);
            auto l = a, with_imaginary = a;
            for (index_t j = 0; j < n; ++j) with_imaginary(j, j) += T(0, 0.5);
            PivotReport report;
            cpu::factor_llt<T>(l.view(), report);
            cpu::factor_llt<T>(with_imaginary.view(), report);
            CHECK(report.failed_column == -1);
            CHECK(reference::relative_difference(exact_lower(l, false), exact_lower(with_imaginary, false)) == 0);
        }
    }
}

TEST_CASE_TEMPLATE_APPLY(llt_imaginary, Scalars);
