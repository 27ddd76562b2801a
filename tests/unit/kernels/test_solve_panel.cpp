// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/threshold.hpp"
#include "kernel_checks.hpp"

#include <algorithm>
#include <numeric>

using namespace frond;
using namespace frond::test;

namespace {

struct PanelSizes {
    index_t m, n;
};

constexpr PanelSizes panel_sizes[] = {{0, 3},  {3, 0},    {1, 1},   {5, 2},     {8, 3},    {17, 7},
                                      {30, 8}, {7, 16},   {25, 31}, {48, 32},   {100, 33}, {65, 64},
                                      {9, 65}, {49, 100}, {3, 129}, {130, 129}, {1, 40},   {24, 200}};

/// Lower triangle with entries of the size 1/n off the diagonal, so that solves are well
/// conditioned.
template <class T>
GuardedMatrix<T> triangle(index_t n, std::uint64_t seed, bool upper) {
    GuardedMatrix<T> a(n, n);
    RandomValues values(seed);
    for (index_t j = 0; j < n; ++j)
        for (index_t i = 0; i < n; ++i) {
            const T x = values.next<T>();
            if (i == j)
                a(i, j) = x + T(3);
            else if ((i > j) != upper)
                a(i, j) = x / static_cast<real_t<T>>(n);
        }
    return a;
}

std::vector<index_t> shuffled(index_t n, std::uint64_t seed) {
    std::vector<index_t> perm(static_cast<std::size_t>(n));
    std::iota(perm.begin(), perm.end(), 0);
    RandomValues values(seed);
    for (index_t k = n; k > 1; --k)
        std::swap(perm[static_cast<std::size_t>(k) - 1], perm[static_cast<std::size_t>(values.below(k))]);
    return perm;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("A21 L11^-H", T, panel_llt) {
    for (const auto [m, n] : panel_sizes) {
        CAPTURE(m);
        CAPTURE(n);
        auto l = triangle<T>(n, 41, false);
        for (index_t j = 0; j < n; ++j) l(j, j) = real_part(l(j, j));
        const auto a = random_matrix<T>(m, n, 42);
        auto x = a;
        cpu::solve_panel_llt<T>(l.view(), x.view());
        const auto product = exact(x) * exact_lower(l, false).transposed(true);
        CHECK(reference::relative_difference(product, exact(a)) <= rounding_bound<T>(n));
        CHECK(x.padding_intact());
    }
}

TEST_CASE_TEMPLATE_APPLY(panel_llt, Scalars);

TEST_CASE_TEMPLATE_DEFINE("A21 P^T L11^-T D^-1", T, panel_ldlt) {
    for (const auto [m, n] : panel_sizes)
        for (const int variant : {0, 1, 2, 3, 4, 5}) {
            const bool hermitian = variant % 2, pairs = variant<2, in_order = variant> 3;
            CAPTURE(m);
            CAPTURE(n);
            CAPTURE(variant);
            auto l = triangle<T>(n, 43, false);
            std::vector<T> pivots(2 * static_cast<std::size_t>(n), T(0));
            for (index_t k = 0; k < n; ++k) {
                const auto at = 2 * static_cast<std::size_t>(k);
                l(k, k) = 1;
                pivots[at] = hermitian ? T(real_t<T>(k % 3 ? 2 : -3)) : T(real_t<T>(k % 3 ? 2 : -3)) + l(n - 1, 0);
                if (pairs && k % 4 == 2) {
                    pivots[at - 1] = T(7);
                    if constexpr (is_complex<T>) pivots[at - 1] = T(3, 6);
                    l(k, k - 1) = 0;
                }
            }
            auto perm = shuffled(n, 44);
            if (in_order) std::sort(perm.begin(), perm.end());
            const auto a = random_matrix<T>(m, n, 45);
            auto x = a;
            GuardedMatrix<T> x_d(m, n);
            double largest_l = -1;
            cpu::solve_panel_ldlt<T>(l.view(), hermitian, pivots.data(), perm.data(), x.view(), x_d.view(), &largest_l);
            CHECK(largest_l == cpu::largest_magnitude<T>(x.view()));
            const auto d = reference::block_diagonal<T>(n, hermitian, pivots.data());
            const auto permuted = reference::rows_permuted(exact(a).transposed(false), perm).transposed(false);
            const auto product = exact(x_d) * exact_lower(l, true).transposed(hermitian);
            // 1x1 pivots: the sums hold X (L11 D)^T, two roundings away from (X D) L11^T
            CHECK(reference::relative_difference(product, permuted) <= rounding_bound<T>(n + 4));
            // cond(D) < 4: the error of D^-1 is a small multiple of the terms of X D
            CHECK(reference::relative_difference(exact(x) * d, exact(x_d)) <= rounding_bound<T>(20));
            CHECK(x.padding_intact());
            CHECK(x_d.padding_intact());
        }
}

TEST_CASE_TEMPLATE_APPLY(panel_ldlt, Scalars);

TEST_CASE_TEMPLATE_DEFINE("A21 U11^-1 and L11^-1 P A12", T, panel_lu) {
    for (const auto [m, n] : panel_sizes) {
        CAPTURE(m);
        CAPTURE(n);
        const auto u = triangle<T>(n, 46, true);
        const auto a21 = random_matrix<T>(m, n, 47);
        auto x = a21;
        cpu::solve_panel_lu_lower<T>(u.view(), x.view());
        const auto exact_u = reference::upper_triangle<T>(n, [&](index_t i, index_t j) { return u(i, j); });
        CHECK(reference::relative_difference(exact(x) * exact_u, exact(a21)) <= rounding_bound<T>(n));
        CHECK(x.padding_intact());

        const auto l = triangle<T>(n, 48, false);
        const auto perm = shuffled(n, 49);
        const auto a12 = random_matrix<T>(n, m, 50);
        auto y = a12;
        GuardedWorkspace<T> workspace(cpu::solve_panel_lu_upper_workspace(n, m));
        cpu::solve_panel_lu_upper<T>(l.view(), perm.data(), y.view(), workspace.data());
        CHECK(reference::relative_difference(exact_lower(l, true) * exact(y),
                                             reference::rows_permuted(exact(a12), perm)) <= rounding_bound<T>(n));
        CHECK(y.padding_intact());
        CHECK(workspace.intact());
    }
}

TEST_CASE_TEMPLATE_APPLY(panel_lu, Scalars);
