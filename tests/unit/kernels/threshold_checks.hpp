// SPDX-License-Identifier: BSD-3-Clause
// Second pass of LDL^T and LU: run in guarded memory and checked by what it promises.
#pragma once

#include "frond/cpu/threshold.hpp"
#include "kernel_checks.hpp"

#include <algorithm>
#include <functional>

namespace frond::test {

/// Largest |a - b| over wanted entries beyond what rounding (relative to the terms) explains.
template <class T, class Wanted>
double unexplained_difference(const reference::Matrix<T>& a, const reference::Matrix<T>& b, double rounding,
                              Wanted wanted) {
    double worst = 0;
    for (index_t j = 0; j < a.cols(); ++j)
        for (index_t i = 0; i < a.rows(); ++i) {
            if (!wanted(i, j)) continue;
            const auto difference = static_cast<double>(std::abs(a(i, j) - b(i, j)));
            const double rest = difference - rounding * (a.size(i, j) + b.size(i, j));
            if (!(rest <= worst)) worst = std::isnan(rest) ? HUGE_VAL : rest;
        }
    return worst;
}

/// What 1 / u allows when quotients are rounded.
template <class T>
double l_limit(double u) {
    return (1 + 100 * epsilon<T>()) / u;
}

/// A lower trapezoid [f + r, f] and its second pass.
template <class T>
struct SecondPassSymmetric {
    index_t f, r;
    bool hermitian;
    GuardedMatrix<T> original, a;
    std::vector<T> pivots;
    std::vector<index_t> perm;
    PivotReport report;
    cpu::SecondPassOutcome outcome;

    SecondPassSymmetric(index_t f_, index_t r_, bool hermitian_)
        : f(f_), r(r_), hermitian(hermitian_), original(f_ + r_, f_), a(f_ + r_, f_) {}

    /// entry(i, j), i >= j
    template <class Entry>
    void fill(Entry entry) {
        for (index_t j = 0; j < f; ++j)
            for (index_t i = j; i < f + r; ++i) {
                original(i, j) = entry(i, j);
                if (i == j && hermitian) original(i, j) = real_part(original(i, j));
            }
    }

    void fill_random(std::uint64_t seed) {
        RandomValues values(seed);
        fill([&](index_t, index_t) { return values.next<T>(); });
    }

    void run(const PivotRule& rule) {
        a = original;
        pivots.assign(2 * static_cast<std::size_t>(f), poison<T>());
        perm.assign(static_cast<std::size_t>(f), -1);
        report = {};
        GuardedWorkspace<T> workspace(cpu::factor_second_pass_ldlt_workspace(f, r));
        outcome = cpu::factor_second_pass_ldlt<T>(a.view(), hermitian, rule, pivots.data(), perm.data(),
                                                  workspace.data(), report);
        CHECK(workspace.intact());
        CHECK(a.padding_intact());
        CHECK(is_permutation_of(perm));
        check(rule);
    }

    /// The rows and columns of the unfactored trapezoid in their final order.
    reference::Matrix<T> permuted() const {
        const auto at = [&](index_t i) { return i < f ? perm[static_cast<std::size_t>(i)] : i; };
        return reference::Matrix<T>::from(f + r, f, [&](index_t i, index_t j) {
            const index_t p = at(i), q = at(j);
            if (p >= q) return original(p, q);
            return hermitian ? conjugate(original(q, p)) : original(q, p);
        });
    }

    /// L_kept D L_kept^T + Schur complement
    reference::Matrix<T> product() const {
        const index_t kept = outcome.kept;
        const auto l = reference::lower_triangle<T>(f + r, kept, true, [&](index_t i, index_t j) { return a(i, j); });
        const auto top = reference::lower_triangle<T>(f, kept, true, [&](index_t i, index_t j) { return a(i, j); });
        const auto d = reference::block_diagonal<T>(kept, hermitian, pivots.data());
        const auto schur = reference::Matrix<T>::from(f + r, f, [&](index_t i, index_t j) {
            return i >= j && j >= kept ? a(i, j) : T(0);
        });
        return l * d * top.transposed(hermitian) + schur;
    }

    double largest_l() const {
        double largest = 0;
        for (index_t j = 0; j < outcome.kept; ++j)
            for (index_t i = j + 1; i < f + r; ++i) largest = std::max(largest, static_cast<double>(std::abs(a(i, j))));
        return largest;
    }

    void check(const PivotRule& rule) const {
        CHECK(unexplained_difference(product(), permuted(), rounding_bound<T>(64 * (f + 1)), in_lower) <=
              rule.zero_pivot);
        CHECK(largest_l() <= l_limit<T>(rule.threshold));
        CHECK(largest_l() <= report.largest_l * (is_complex<T> ? 1.42 : 1) + 100 * epsilon<T>());
        if (r == 0) CHECK(outcome.kept == f);
        check_layout();
    }

    void check_layout() const {
        count_t null = 0, two_by_two = 0;
        for (index_t k = 0; k < outcome.kept; ++k) {
            const T* d = pivots.data() + 2 * static_cast<std::size_t>(k);
            CHECK(a(k, k) == T(1));
            if (hermitian) CHECK(d[0] == T(real_part(d[0])));
            null += d[0] == T(0) && d[1] == T(0);
            if (d[1] == T(0)) continue;
            ++two_by_two;
            ++k;
            REQUIRE(k < outcome.kept);
            CHECK(a(k, k - 1) == T(0));
            CHECK(d[3] == T(0));
        }
        CHECK(null == outcome.null);
        CHECK(report.zero == outcome.null);
        CHECK(report.two_by_two == two_by_two);
        if (!is_complex<T> || hermitian) CHECK(report.negative + report.positive == outcome.kept - outcome.null);
    }
};

/// A [m + r, f] and B [m, c] and their second pass.
template <class T>
struct SecondPassGeneral {
    index_t m, r, f, c;
    GuardedMatrix<T> original, original_b, a, b;
    std::vector<index_t> row_perm, column_perm;
    PivotReport report;
    cpu::SecondPassOutcome outcome;

    SecondPassGeneral(index_t m_, index_t r_, index_t f_, index_t c_)
        : m(m_),
          r(r_),
          f(f_),
          c(c_),
          original(m_ + r_, f_),
          original_b(random_matrix<T>(m_, c_, 77)),
          a(m_ + r_, f_),
          b(m_, c_) {}

    template <class Entry>
    void fill(Entry entry) {
        for (index_t j = 0; j < f; ++j)
            for (index_t i = 0; i < m + r; ++i) original(i, j) = entry(i, j);
    }

    void fill_random(std::uint64_t seed) {
        RandomValues values(seed);
        fill([&](index_t, index_t) { return values.next<T>(); });
    }

    void run(const PivotRule& rule) {
        a = original;
        b = original_b;
        row_perm.assign(static_cast<std::size_t>(m), -1);
        column_perm.assign(static_cast<std::size_t>(f), -1);
        report = {};
        GuardedWorkspace<T> workspace(cpu::factor_second_pass_lu_workspace(m, r, f, c));
        outcome = cpu::factor_second_pass_lu<T>(a.view(), b.view(), r, rule, row_perm.data(), column_perm.data(),
                                                workspace.data(), report);
        CHECK(workspace.intact());
        CHECK(a.padding_intact());
        CHECK(b.padding_intact());
        CHECK(is_permutation_of(row_perm));
        CHECK(is_permutation_of(column_perm));
        check(rule);
    }

    /// [A B] in the final order; the rows of B that do not exist are zero.
    reference::Matrix<T> permuted() const {
        return reference::Matrix<T>::from(m + r, f + c, [&](index_t i, index_t j) {
            const index_t p = i < m ? row_perm[static_cast<std::size_t>(i)] : i;
            if (j < f) return original(p, column_perm[static_cast<std::size_t>(j)]);
            return i < m ? original_b(p, j - f) : T(0);
        });
    }

    T entry(index_t i, index_t j) const {
        if (j < f) return a(i, j);
        return i < m ? b(i, j - f) : T(0);
    }

    /// L U + Schur complement
    reference::Matrix<T> product() const {
        const index_t kept = outcome.kept;
        const auto l = reference::lower_triangle<T>(m + r, kept, true, [&](index_t i, index_t j) { return a(i, j); });
        const auto u =
            reference::Matrix<T>::from(kept, f + c, [&](index_t i, index_t j) { return j >= i ? entry(i, j) : T(0); });
        const auto schur = reference::Matrix<T>::from(m + r, f + c, [&](index_t i, index_t j) {
            return i >= kept && j >= kept ? entry(i, j) : T(0);
        });
        return l * u + schur;
    }

    double largest_l() const {
        double largest = 0;
        for (index_t j = 0; j < outcome.kept; ++j)
            for (index_t i = j + 1; i < m + r; ++i) largest = std::max(largest, static_cast<double>(std::abs(a(i, j))));
        return largest;
    }

    void check(const PivotRule& rule) const {
        const auto held = [this](index_t i, index_t j) { return i < m || j < f; };
        CHECK(unexplained_difference(product(), permuted(), rounding_bound<T>(4 * (f + 1)), held) <= rule.zero_pivot);
        CHECK(largest_l() <= l_limit<T>(rule.threshold));
        CHECK(outcome.kept <= std::min(m, f));
        CHECK(outcome.kept + outcome.null <= f);
        if (r == 0) CHECK((outcome.kept == m || outcome.kept + outcome.null == f));
        CHECK(report.zero == outcome.null);
        for (index_t j = outcome.kept; j < outcome.kept + outcome.null; ++j)
            for (index_t i = outcome.kept; i < m + r; ++i) CHECK(a(i, j) == T(0));
    }
};

}  // namespace frond::test
