// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of tile tasks promise, checked against the reference loops: one source for the functions of
// codelets/cpu and for the tasks on a device. Kernels is one of CpuKernels (here) and CodeletKernels
// (tests/integration/device). Inputs are poisoned where nothing may be read, outputs before they are written.
#pragma once

#include "kernel_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

namespace frond::test {

/// Beside a diagonal tile of n columns: pivot order, pivots of L D L^T, and what was added to pivots.
template <class T>
struct PivotParts {
    explicit PivotParts(index_t n)
        : perm(static_cast<std::size_t>(n), -1),
          pivots(2 * static_cast<std::size_t>(n), poison<T>()),
          replaced(static_cast<std::size_t>(n), poison<T>()) {}

    std::vector<index_t> perm;
    std::vector<T> pivots, replaced;
};

inline bool is_hermitian(Factorization kind) { return kind == Factorization::ldlh || kind == Factorization::llt; }

/// A tile to factor: the lower triangle alone, but for L U; each diagonal entry plus `shift`.
template <class T>
GuardedMatrix<T> diagonal_tile(Factorization kind, index_t n, double shift, std::uint64_t seed) {
    if (kind != Factorization::lu) return random_lower<T>(n, seed, shift, is_hermitian(kind));
    auto a = random_matrix<T>(n, n, seed);
    for (index_t j = 0; j < n; ++j) a(j, j) += static_cast<real_t<T>>(shift);
    return a;
}

/// P A, P A P^T or A, as the kind has it.
template <class T>
reference::Matrix<T> in_pivot_order(Factorization kind, const GuardedMatrix<T>& a, const std::vector<index_t>& perm) {
    if (kind == Factorization::lu) return reference::rows_permuted(exact(a), perm);
    const auto whole = exact_mirrored(a, is_hermitian(kind));
    if (kind == Factorization::llt) return whole;
    const auto rows = reference::rows_permuted(whole, perm);
    return reference::rows_permuted(rows.transposed(false), perm).transposed(false);
}

/// L U, L D L^T, L D L^H or L L^H.
template <class T>
reference::Matrix<T> product_of(Factorization kind, const GuardedMatrix<T>& f, const PivotParts<T>& parts) {
    if (kind == Factorization::lu)
        return exact_lower(f, true) *
               reference::upper_triangle<T>(f.cols(), [&](index_t i, index_t j) { return f(i, j); });
    const bool hermitian = is_hermitian(kind);
    const auto l = exact_lower(f, kind != Factorization::llt);
    if (kind == Factorization::llt) return l * l.transposed(true);
    const auto d = reference::block_diagonal<T>(f.cols(), hermitian, parts.pivots.data());
    return l * d * l.transposed(hermitian);
}

/// No entry of L in the column of a 2 x 2 pivot beside it, and no pivot begins inside another.
template <class T>
void check_pairs(const GuardedMatrix<T>& f, const PivotParts<T>& parts) {
    for (index_t k = 0; k < f.cols(); ++k) {
        const auto at = 2 * static_cast<std::size_t>(k);
        if (parts.pivots[at + 1] == T(0)) continue;
        REQUIRE(k + 1 < f.cols());
        CHECK(parts.pivots[at + 3] == T(0));
        CHECK(f(k + 1, k) == T(0));
    }
}

/// Threshold pivoting counts nothing here; else the tile is dominant, and every pivot good.
template <class T>
void check_counts(Factorization kind, bool counted, index_t n, const GuardedMatrix<T>& f, const PivotReport& report) {
    const bool signs = counted && (is_hermitian(kind) || (kind == Factorization::ldlt && !is_complex<T>));
    CHECK(report.failed_column == -1);
    CHECK(report.positive == (signs ? n : 0));
    CHECK(report.negative + report.zero + report.perturbed == 0);
    if (!counted) CHECK(report.log_abs_determinant == 0);
    if (!counted || (kind != Factorization::llt && kind != Factorization::lu)) return;
    double log_determinant = 0;
    for (index_t j = 0; j < n; ++j)
        log_determinant += (kind == Factorization::llt ? 2 : 1) * std::log(static_cast<double>(std::abs(f(j, j))));
    CHECK(report.log_abs_determinant == doctest::Approx(log_determinant).epsilon((n + 1) * 4 * epsilon<T>()));
}

/// threshold 0: static pivoting.
template <class T, class Kernels>
void check_diagonal(Kernels& kernels, Factorization kind, index_t n, double threshold, double shift) {
    CAPTURE(static_cast<int>(kind));
    CAPTURE(n);
    CAPTURE(threshold);
    CAPTURE(shift);
    const auto a = diagonal_tile<T>(kind, n, shift, 100 + static_cast<std::uint64_t>(n));
    auto f = a;
    PivotParts<T> parts(n);
    PivotRule rule;
    rule.threshold = threshold;
    rule.smallest_pivot = threshold > 0 ? 1 : 0;
    PivotReport report;
    kernels.factor_diagonal(kind, f, rule, parts, report);
    CHECK(f.padding_intact());
    const bool symmetric = kind != Factorization::lu;
    if (kind != Factorization::llt) REQUIRE(is_permutation_of(parts.perm));
    if (threshold > 0 && kind != Factorization::llt)
        CHECK(std::all_of(parts.replaced.begin(), parts.replaced.end(), [](T r) { return r == T(0); }));
    const auto expected = in_pivot_order(kind, a, parts.perm);
    const auto wanted = [&](index_t i, index_t j) { return !symmetric || i >= j; };
    CHECK(reference::relative_difference(product_of(kind, f, parts), expected, wanted) <= rounding_bound<T>(4 * n));
    if (symmetric && kind != Factorization::llt) check_pairs(f, parts);
    check_counts(kind, threshold == 0 || kind == Factorization::llt, n, f, report);
}

/// Kernels that take long for an operation say up to how many columns they are to be checked.
template <class Kernels>
bool is_checked(const Kernels& kernels, index_t columns) {
    if constexpr (requires { kernels.most_columns(); })
        return columns <= kernels.most_columns();
    else
        return true;
}

constexpr Factorization tile_kinds[] = {Factorization::llt, Factorization::ldlt, Factorization::ldlh,
                                        Factorization::lu};

template <class T, class Kernels>
void check_diagonals(Kernels& kernels) {
    for (const Factorization kind : tile_kinds)
        for (const index_t n : {1, 2, 7, 31, 32, 33, 64, 65, 129, 200}) {
            if (!is_checked(kernels, n)) continue;
            check_diagonal<T>(kernels, kind, n, 0, 3.0 * n);
            if (kind != Factorization::llt)
                for (const double shift : {0.0, 3.0 * n}) check_diagonal<T>(kernels, kind, n, 0.01, shift);
        }
}

/// One tile is factored, and a panel solved with it: what the panel times the factors is.
template <class T, class Kernels>
void check_panel(Kernels& kernels, Factorization kind, bool upper, index_t m, index_t n) {
    CAPTURE(static_cast<int>(kind));
    CAPTURE(upper);
    CAPTURE(m);
    CAPTURE(n);
    auto f = diagonal_tile<T>(kind, n, 3.0 * n, 200 + static_cast<std::uint64_t>(n));
    PivotParts<T> parts(n);
    PivotReport report;
    kernels.factor_diagonal(kind, f, {}, parts, report);
    const auto a = upper ? random_matrix<T>(n, m, 42) : random_matrix<T>(m, n, 42);
    auto x = a;
    GuardedMatrix<T> x_d(m, n);
    kernels.solve_panel(kind, upper, f, parts, x, x_d);
    CHECK(x.padding_intact());
    // Products with inverted blocks: twice the operations of a substitution.
    const double bound = 2 * rounding_bound<T>(n + 4);
    const bool hermitian = is_hermitian(kind);
    if (kind == Factorization::llt) {
        const auto product = exact(x) * exact_lower(f, false).transposed(true);
        CHECK(reference::relative_difference(product, exact(a)) <= bound);
    } else if (kind != Factorization::lu) {
        const auto permuted = reference::rows_permuted(exact(a).transposed(false), parts.perm).transposed(false);
        const auto product = exact(x_d) * exact_lower(f, true).transposed(hermitian);
        CHECK(reference::relative_difference(product, permuted) <= bound);
        const auto d = reference::block_diagonal<T>(n, hermitian, parts.pivots.data());
        CHECK(reference::relative_difference(exact(x) * d, exact(x_d)) <= rounding_bound<T>(20));
        CHECK(x_d.padding_intact());
    } else if (upper) {
        CHECK(reference::relative_difference(exact_lower(f, true) * exact(x),
                                             reference::rows_permuted(exact(a), parts.perm)) <= bound);
    } else {
        const auto u = reference::upper_triangle<T>(n, [&](index_t i, index_t j) { return f(i, j); });
        CHECK(reference::relative_difference(exact(x) * u, exact(a)) <= bound);
    }
}

template <class T, class Kernels>
void check_panels(Kernels& kernels) {
    for (const Factorization kind : tile_kinds)
        for (const bool upper : {false, true}) {
            if (upper && kind != Factorization::lu) continue;
            for (const auto& [m, n] :
                 {std::pair{1, 1}, {5, 2}, {17, 7}, {48, 32}, {100, 33}, {9, 65}, {130, 129}, {24, 200}})
                if (is_checked(kernels, n)) check_panel<T>(kernels, kind, upper, m, n);
        }
}

template <class T, class Kernels>
void check_updates(Kernels& kernels) {
    for (const auto& [m, n, k] :
         {std::array{1, 1, 1}, {7, 8, 3}, {25, 9, 33}, {65, 33, 64}, {100, 129, 31}, {3, 100, 2}}) {
        CAPTURE(m);
        CAPTURE(n);
        CAPTURE(k);
        const auto a = random_matrix<T>(m, k, 1), b = random_matrix<T>(k, n, 2), b_t = random_matrix<T>(n, k, 3);
        const auto c = random_matrix<T>(m, n, 4);
        auto result = c;
        kernels.update_general(a, b, result);
        CHECK(reference::relative_difference(exact(result), exact(c) - exact(a) * exact(b)) <= rounding_bound<T>(k));
        CHECK(result.padding_intact());
        for (const bool adjoint : {false, true}) {
            result = c;
            kernels.update_transposed(a, b_t, adjoint, result);
            const auto expected = exact(c) - exact(a) * exact(b_t).transposed(adjoint);
            CHECK(reference::relative_difference(exact(result), expected) <= rounding_bound<T>(k));
            const auto other = random_matrix<T>(n, k, 6), target = random_lower<T>(n, 7);
            auto lower = target;
            kernels.update_lower(b_t, other, adjoint, lower);
            CHECK(reference::relative_difference(exact(lower),
                                                 exact(target) - exact(b_t) * exact(other).transposed(adjoint),
                                                 in_lower) <= rounding_bound<T>(k));
            CHECK(lower.padding_intact());
        }
    }
}

/// Every second, then every row of the front; sums have one right result each.
template <class T, class Kernels>
void check_extend_add(Kernels& kernels) {
    for (const auto& [n, order] : {std::pair{1, 1}, {5, 9}, {17, 40}, {40, 90}, {64, 64}, {100, 170}})
        for (const bool lower : {false, true}) {
            CAPTURE(n);
            CAPTURE(order);
            CAPTURE(lower);
            std::vector<index_t> rows;
            for (index_t r = 0; r < n; ++r) rows.push_back(std::min(2 * r, r + order - n));
            const auto child = lower ? random_lower<T>(n, 72) : random_matrix<T>(n, n, 72);
            const auto before = lower ? random_lower<T>(order, 73) : random_matrix<T>(order, order, 73);
            auto expected = before, front = before;
            for (index_t j = 0; j < n; ++j)
                for (index_t i = lower ? j : 0; i < n; ++i)
                    expected(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)]) += child(i, j);
            kernels.extend_add(lower, child, rows, front);
            bool same = true;
            for (index_t j = 0; j < order; ++j)
                for (index_t i = lower ? j : 0; i < order; ++i) same = same && front(i, j) == expected(i, j);
            CHECK(same);
            CHECK(front.padding_intact());
        }
}

}  // namespace frond::test
