// SPDX-License-Identifier: BSD-3-Clause
// NaN and Inf anywhere must come out as NaN, Inf or a failed column: never a hang, a crash or a
// permutation that is none.
#include "frond/cpu/kernels.hpp"
#include "kernel_checks.hpp"

#include <cmath>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
bool all_finite(const GuardedMatrix<T>& a, bool lower) {
    for (index_t j = 0; j < a.cols(); ++j)
        for (index_t i = lower ? j : 0; i < a.rows(); ++i)
            if (!std::isfinite(std::abs(a(i, j)))) return false;
    return true;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("NaN and Inf in a block", T, bad_values) {
    for (const index_t n : {1, 2, 9, 40, 70, 130})
        for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL})
            for (const bool everywhere : {false, true}) {
                CAPTURE(n);
                CAPTURE(bad);
                auto lower = random_lower<T>(n, 95, 1.0);
                auto square = random_matrix<T>(n, n, 96);
                for (index_t j = 0; j < n; ++j)
                    for (index_t i = 0; i < n; ++i)
                        if (everywhere || (i == n - 1 && j == n / 2)) {
                            square(i, j) = static_cast<real_t<T>>(bad);
                            if (i >= j) lower(i, j) = static_cast<real_t<T>>(bad);
                        }
                std::vector<index_t> perm(static_cast<std::size_t>(n));
                std::vector<T> pivots(2 * static_cast<std::size_t>(n));
                for (const bool hermitian : {false, true}) {
                    auto a = lower;
                    PivotReport report;
                    GuardedWorkspace<T> workspace(cpu::factor_ldlt_workspace(n));
                    cpu::factor_ldlt<T>(a.view(), hermitian, {1e-8, 0}, pivots.data(), perm.data(), workspace.data(),
                                        report);
                    CHECK(is_permutation_of(perm));
                    CHECK(workspace.intact());
                    bool finite = all_finite(a, true);
                    for (const T& d : pivots) finite = finite && std::isfinite(std::abs(d));
                    if (std::isnan(bad)) CHECK(!finite);
                }
                auto a = square;
                PivotReport report;
                GuardedWorkspace<T> workspace(cpu::factor_lu_workspace(n));
                cpu::factor_lu<T>(a.view(), {1e-8, 0}, perm.data(), workspace.data(), report);
                CHECK(is_permutation_of(perm));
                CHECK(!all_finite(a, false));
                auto l = lower;
                report = {};
                cpu::factor_llt<T>(l.view(), report);
                CHECK((report.failed_column >= 0 || !all_finite(l, true)));
            }
}

TEST_CASE_TEMPLATE_APPLY(bad_values, Scalars);
