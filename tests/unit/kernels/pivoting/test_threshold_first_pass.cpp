// SPDX-License-Identifier: BSD-3-Clause
// Columns given back: equal to those of an elimination of the kept pivots alone.
#include "frond/cpu/kernels.hpp"
#include "threshold_checks.hpp"

#include <cmath>
#include <limits>

using namespace frond;
using namespace frond::test;

namespace {

constexpr PivotRule first_pass_rule = {2.0, 1e-3, 0.01};

/// a, its entries counted as large as `terms` that rounding errors come from.
template <class T>
reference::Matrix<T> with_size_of(const reference::Matrix<T>& a, const reference::Matrix<T>& terms) {
    return a + terms - terms;
}

template <class T>
reference::Matrix<T> part(const reference::Matrix<T>& a, index_t i, index_t j, index_t m, index_t n) {
    reference::Matrix<T> p(m, n);
    for (index_t c = 0; c < n; ++c)
        for (index_t r = 0; r < m; ++r) p.set(r, c, a(i + r, j + c));
    return p;
}

/// A block [n, n] with small pivots planted: rows and columns that are 1e-4 at most.
template <class T>
T planted(index_t i, index_t j, index_t every, T x) {
    if (every == 0) return x;
    return i % every == every - 1 || j % every == every - 1 ? T(x * real_t<T>(1e-4)) : x;
}

/// First pass over a front [n + m, n] of a symmetric kind, before anything is given back.
template <class T>
struct FirstPassSymmetric {
    index_t n, m;
    bool hermitian;
    GuardedMatrix<T> block, l11, below, l21, l21_d;
    std::vector<T> pivots, replaced;
    std::vector<index_t> perm;
    PivotReport report;

    FirstPassSymmetric(index_t n_, index_t m_, bool hermitian_, index_t every)
        : n(n_),
          m(m_),
          hermitian(hermitian_),
          block(random_lower<T>(n_, 321, 0, hermitian_)),
          l11(n_, n_),
          below(random_matrix<T>(m_, n_, 322)),
          l21(m_, n_),
          l21_d(m_, n_),
          pivots(2 * static_cast<std::size_t>(n_), poison<T>()),
          replaced(static_cast<std::size_t>(n_), poison<T>()),
          perm(static_cast<std::size_t>(n_), -1) {
        for (index_t j = 0; j < n; ++j)
            for (index_t i = j; i < n; ++i) block(i, j) = planted(i, j, every, block(i, j));
        l11 = block;
        l21 = below;
        GuardedWorkspace<T> workspace(cpu::factor_ldlt_workspace(n));
        cpu::factor_ldlt<T>(l11.view(), hermitian, first_pass_rule, pivots.data(), perm.data(), workspace.data(),
                            report, replaced.data());
        CHECK(workspace.intact());
        cpu::solve_panel_ldlt<T>(l11.view(), hermitian, pivots.data(), perm.data(), l21.view(), l21_d.view());
    }

    reference::Matrix<T> lower(index_t first, index_t columns) const {
        const auto l = exact_lower(l11, true);
        return part(l, first, first, n - first, columns);
    }

    /// L D L^T of pivots first .. first + count - 1, rows and columns from row `from` on.
    reference::Matrix<T> terms(index_t first, index_t count, index_t from) const {
        const auto l = part(exact_lower(l11, true), from, first, n - from, count);
        const auto d =
            reference::block_diagonal<T>(count, hermitian, pivots.data() + 2 * static_cast<std::size_t>(first));
        return l * d * l.transposed(hermitian);
    }

    reference::Matrix<T> permuted() const {
        const auto rows = reference::rows_permuted(exact_mirrored(block, hermitian), perm);
        return reference::rows_permuted(rows.transposed(false), perm).transposed(false);
    }

    void check_block(index_t kept) const {
        auto a = l11;
        cpu::unfactor_ldlt<T>(a.view(), hermitian, kept, pivots.data(), replaced.data());
        CHECK(a.padding_intact());
        CHECK(a.strict_upper_is_poison());
        const index_t left = n - kept;
        const auto alone = part(permuted(), kept, kept, left, left) - terms(0, kept, kept);
        const auto expected = with_size_of(alone, terms(kept, left, kept));
        CHECK(reference::relative_difference(part(exact(a), kept, kept, left, left), expected, in_lower) <=
              rounding_bound<T>(16 * (n + 1)));
        bool untouched = true;
        for (index_t j = 0; j < kept; ++j)
            for (index_t i = j; i < n; ++i) untouched = untouched && a(i, j) == l11(i, j);
        CHECK(untouched);
    }

    void check_panel(index_t kept) const {
        auto l = l21, l_d = l21_d;
        cpu::unsolve_panel_ldlt<T>(l11.view(), hermitian, kept, l.view(), l_d.view());
        CHECK(l.padding_intact());
        CHECK(l_d.padding_intact());
        const index_t left = n - kept;
        const auto rows = exact_lower(l11, true);
        const auto before = reference::rows_permuted(exact(below).transposed(false), perm).transposed(false);
        const auto eliminated =
            part(exact(l21_d), 0, 0, m, kept) * part(rows, kept, 0, left, kept).transposed(hermitian);
        const auto terms_left = part(exact(l21_d), 0, kept, m, left) * lower(kept, left).transposed(hermitian);
        const auto expected = with_size_of(part(before, 0, kept, m, left) - eliminated, terms_left);
        CHECK(reference::relative_difference(part(exact(l_d), 0, kept, m, left), expected) <=
              rounding_bound<T>(16 * (n + 1)));
        bool cleared = true, untouched = true;
        for (index_t j = 0; j < n; ++j)
            for (index_t i = 0; i < m; ++i) {
                cleared = cleared && (j < kept || l(i, j) == T(0));
                untouched = untouched && (j >= kept || l_d(i, j) == l21_d(i, j));
            }
        CHECK(cleared);
        CHECK(untouched);
    }
};

/// First pass over a front [n + m, n + m] of LU.
template <class T>
struct FirstPassGeneral {
    index_t n, m;
    GuardedMatrix<T> block, lu, below, l21, right, u12;
    std::vector<T> replaced;
    std::vector<index_t> perm;
    PivotReport report;

    FirstPassGeneral(index_t n_, index_t m_, index_t every)
        : n(n_),
          m(m_),
          block(random_matrix<T>(n_, n_, 323)),
          lu(n_, n_),
          below(random_matrix<T>(m_, n_, 324)),
          l21(m_, n_),
          right(random_matrix<T>(n_, m_, 325)),
          u12(n_, m_),
          replaced(static_cast<std::size_t>(n_), poison<T>()),
          perm(static_cast<std::size_t>(n_), -1) {
        for (index_t j = 0; j < n; ++j)
            for (index_t i = 0; i < n; ++i) block(i, j) = planted(i, j, every, block(i, j));
        lu = block;
        l21 = below;
        u12 = right;
        std::vector<T> workspace(static_cast<std::size_t>(
            std::max<count_t>(cpu::factor_lu_workspace(n), cpu::solve_panel_lu_upper_workspace(n, m))));
        cpu::factor_lu<T>(lu.view(), first_pass_rule, perm.data(), workspace.data(), report, replaced.data());
        cpu::solve_panel_lu_lower<T>(lu.view(), l21.view());
        cpu::solve_panel_lu_upper<T>(lu.view(), perm.data(), u12.view(), workspace.data());
    }

    reference::Matrix<T> lower() const { return exact_lower(lu, true); }

    reference::Matrix<T> upper() const {
        return reference::upper_triangle<T>(n, [&](index_t i, index_t j) { return lu(i, j); });
    }

    void check_block(index_t kept) const {
        auto a = lu;
        cpu::unfactor_lu<T>(a.view(), kept, replaced.data());
        CHECK(a.padding_intact());
        const index_t left = n - kept;
        const auto before = reference::rows_permuted(exact(block), perm);
        const auto alone = part(before, kept, kept, left, left) -
                           part(lower(), kept, 0, left, kept) * part(upper(), 0, kept, kept, left);
        const auto terms = part(lower(), kept, kept, left, left) * part(upper(), kept, kept, left, left);
        CHECK(reference::relative_difference(part(exact(a), kept, kept, left, left), with_size_of(alone, terms)) <=
              rounding_bound<T>(4 * (n + 1)));
        bool untouched = true;
        for (index_t j = 0; j < n; ++j)
            for (index_t i = 0; i < n; ++i) untouched = untouched && ((i >= kept && j >= kept) || a(i, j) == lu(i, j));
        CHECK(untouched);
    }

    void check_panels(index_t kept) const {
        auto l = l21, saved = below, u = u12;
        cpu::unsolve_panel_lu_lower<T>(lu.view(), kept, l.view(), saved.view());
        cpu::unsolve_panel_lu_upper<T>(lu.view(), kept, u.view());
        CHECK(saved.padding_intact());
        CHECK(u.padding_intact());
        const index_t left = n - kept;
        const auto left_columns =
            part(exact(below), 0, kept, m, left) - part(exact(l21), 0, 0, m, kept) * part(upper(), 0, kept, kept, left);
        CHECK(reference::relative_difference(part(exact(saved), 0, kept, m, left), left_columns) <=
              rounding_bound<T>(n + 1));
        const auto rows = reference::rows_permuted(exact(right), perm);
        const auto alone =
            part(rows, kept, 0, left, m) - part(lower(), kept, 0, left, kept) * part(exact(u12), 0, 0, kept, m);
        const auto terms = part(lower(), kept, kept, left, left) * part(exact(u12), kept, 0, left, m);
        CHECK(reference::relative_difference(part(exact(u), kept, 0, left, m), with_size_of(alone, terms)) <=
              rounding_bound<T>(4 * (n + 1)));
        bool same = true;
        for (index_t j = 0; j < n; ++j)
            for (index_t i = 0; i < m; ++i) {
                same = same && l(i, j) == (j < kept ? l21(i, j) : T(0));
                same = same && (j >= kept || u(j, i) == u12(j, i));
            }
        CHECK(same);
    }
};

struct FirstPassSizes {
    index_t n, m, every;
};

constexpr FirstPassSizes first_pass_sizes[] = {{1, 3, 0},  {1, 3, 1},  {2, 0, 0},  {6, 5, 0},   {9, 4, 3},
                                               {40, 9, 0}, {41, 7, 5}, {70, 3, 0}, {100, 20, 7}};

/// Every count of kept columns of a small block, some of a large one.
std::vector<index_t> kept_counts(index_t n) {
    std::vector<index_t> counts;
    for (index_t k = 0; k <= n; k += k + 12 < n && k > 4 ? 11 : 1) counts.push_back(k);
    return counts;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("first pass: columns of L D L^T given back", T, unfactor_symmetric) {
    for (const auto [n, m, every] : first_pass_sizes)
        for (const bool hermitian : {false, true}) {
            CAPTURE(n);
            CAPTURE(every);
            CAPTURE(hermitian);
            const FirstPassSymmetric<T> pass(n, m, hermitian, every);
            CHECK(pass.report.perturbed == 0);
            CHECK(pass.report.positive + pass.report.negative + pass.report.zero == 0);
            CHECK(pass.report.two_by_two == 0);
            const index_t first = cpu::first_replaced_pivot<T>(n, pass.replaced.data());
            CHECK((first < n) == (every > 0));
            for (const index_t k : kept_counts(n)) {
                const index_t kept = cpu::whole_pivots<T>(k, pass.pivots.data());
                CAPTURE(kept);
                CHECK((kept == k || kept == k - 1));
                pass.check_block(kept);
                pass.check_panel(kept);
            }
        }
}

TEST_CASE_TEMPLATE_APPLY(unfactor_symmetric, Scalars);

TEST_CASE_TEMPLATE_DEFINE("first pass: rows and columns of L U given back", T, unfactor_general) {
    for (const auto [n, m, every] : first_pass_sizes) {
        CAPTURE(n);
        CAPTURE(every);
        const FirstPassGeneral<T> pass(n, m, every);
        CHECK(pass.report.perturbed == 0);
        CHECK(pass.report.zero == 0);
        const index_t first = cpu::first_replaced_pivot<T>(n, pass.replaced.data());
        CHECK((first < n) == (every > 0));
        for (const index_t kept : kept_counts(n)) {
            CAPTURE(kept);
            pass.check_block(kept);
            pass.check_panels(kept);
        }
    }
}

TEST_CASE_TEMPLATE_APPLY(unfactor_general, Scalars);

TEST_CASE("first pass: more columns given back than are copied at once") {
#if FROND_SCALAR_S
    const FirstPassSymmetric<float> symmetric(545, 2, false, 0);
    const index_t kept = cpu::whole_pivots<float>(3, symmetric.pivots.data());
    symmetric.check_block(kept);
    symmetric.check_panel(kept);
    const FirstPassGeneral<float> general(545, 2, 0);
    general.check_block(2);
    general.check_panels(2);
#endif
}

/// The largest |re| + |im| of the columns before `end`.
template <class T>
double largest_before(const GuardedMatrix<T>& a, index_t m, index_t end) {
    double largest = 0;
    for (index_t j = 0; j < end; ++j)
        for (index_t i = 0; i < m; ++i) {
            const std::complex<double> x(a(i, j));
            largest = std::max(largest, std::abs(x.real()) + std::abs(x.imag()));
        }
    return largest;
}

TEST_CASE_TEMPLATE_DEFINE("first column above a bound, largest entry before it", T, first_above) {
    for (const index_t m : {0, 1, 3, 16, 61, 200})
        for (const index_t n : {0, 1, 5}) {
            CAPTURE(m);
            CAPTURE(n);
            auto a = random_matrix<T>(m, n, 326);
            const auto check = [&](double bound, index_t first) {
                double largest = 0, more = 1000;
                CHECK(cpu::first_column_above<T>(a.view(), bound, largest) == first);
                CHECK(largest == doctest::Approx(largest_before(a, m, first)).epsilon(epsilon<T>()));
                CHECK(cpu::first_column_above<T>(a.view(), bound, more) == first);
                CHECK(more == 1000);
            };
            check(2, n);
            for (index_t j = n - 1; j >= 0 && m > 0; --j) {
                const index_t i = (7 * j + m / 2) % m;
                const T before = a(i, j);
                for (const double x : {-100.5, 100.5, HUGE_VAL, std::nan("")}) {
                    a(i, j) = T(static_cast<real_t<T>>(x));
                    check(100, j);
                }
                if constexpr (is_complex<T>) {
                    a(i, j) = T(60, -60);
                    check(100, j);
                }
                a(i, j) = T(-100);
                check(100, n);
                a(i, j) = before;
            }
        }
}

TEST_CASE_TEMPLATE_APPLY(first_above, Scalars);

TEST_CASE_TEMPLATE_DEFINE("counts of kept pivots", T, counted_pivots) {
    // 2, -3, null, [1 2; 2 1], [3 1; 1 3], and one that is not kept
    const std::vector<T> pivots = {2, 0, -3, 0, 0, 0, 1, 2, 1, 0, 3, 1, 3, 0, 7, 0};
    PivotReport report;
    cpu::count_pivots<T>(Factorization::ldlh, 7, {}, pivots.data(), report);
    CHECK(report.positive == 4);
    CHECK(report.negative == 2);
    CHECK(report.zero == 1);
    CHECK(report.two_by_two == 2);
    CHECK(report.log_abs_determinant == doctest::Approx(std::log(2.0 * 3 * 3 * 8)));
    // The eigenvalues of the pairs are -1, 3 and 2, 4: from 3 / 3 and 8 / 4, and the norms 3 and 4.
    CHECK(report.sizes.smallest == doctest::Approx(1));
    CHECK(report.sizes.largest == doctest::Approx(4));
    GuardedMatrix<T> lu(3, 3);
    for (index_t k = 0; k < 3; ++k) lu(k, k) = T(real_t<T>(k - 5));
    report = {};
    cpu::count_pivots<T>(Factorization::lu, 2, lu.view(), nullptr, report);
    CHECK(report.log_abs_determinant == doctest::Approx(std::log(20.0)));
    CHECK(report.sizes.smallest == 4);
    CHECK(report.sizes.largest == 5);
    CHECK(report.positive + report.negative + report.two_by_two == 0);
}

TEST_CASE_TEMPLATE_DEFINE("2x2 pivots are counted where their determinant leaves the range", T, far_pivots) {
    using Limits = std::numeric_limits<real_t<T>>;
    for (const real_t<T> s : {16 * Limits::min(), Limits::max() / 16}) {
        // s [0 1; 1 0] and s [-2 1; 1 -2]
        const std::vector<T> pivots = {0, s, 0, 0, -2 * s, s, -2 * s, 0};
        PivotReport report;
        cpu::count_pivots<T>(Factorization::ldlh, 4, {}, pivots.data(), report);
        CHECK(report.negative == 3);
        CHECK(report.positive == 1);
        CHECK(report.log_abs_determinant == doctest::Approx(std::log(3.0) + 4 * std::log(static_cast<double>(s))));
        CHECK(is_near(report.sizes.smallest, static_cast<double>(s), rounding_bound<T>(10)));
        CHECK(is_near(report.sizes.largest, 3 * static_cast<double>(s), rounding_bound<T>(10)));
    }
}

TEST_CASE_TEMPLATE_APPLY(far_pivots, Scalars);

TEST_CASE_TEMPLATE_APPLY(counted_pivots, Scalars);
