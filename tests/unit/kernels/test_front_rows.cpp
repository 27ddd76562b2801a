// SPDX-License-Identifier: BSD-3-Clause
// Rows below the pivots of a front of L D L^T: what they become, how large they are said to be, and
// that threshold pivoting sees each of them.
#include "frond/cpu/kernels.hpp"
#include "kernel_checks.hpp"

#include <algorithm>
#include <cmath>

using namespace frond;
using namespace frond::test;

namespace {

constexpr double u = 0.01;

template <class T>
struct RowsFront {
    index_t npiv, ncb;
    bool hermitian;
    GuardedMatrix<T> panel, contribution, full_panel, full_contribution;
    std::vector<T> pivots;
    std::vector<index_t> perm;
    PivotReport report;

    RowsFront(index_t npiv_, index_t ncb_, bool hermitian_)
        : npiv(npiv_),
          ncb(ncb_),
          hermitian(hermitian_),
          panel(npiv_ + ncb_, npiv_),
          contribution(random_lower<T>(ncb_, 421, 0, hermitian_)),
          full_panel(npiv_ + ncb_, npiv_),
          full_contribution(contribution),
          pivots(2 * static_cast<std::size_t>(npiv_)),
          perm(static_cast<std::size_t>(npiv_)) {
        RandomValues values(422);
        for (index_t j = 0; j < npiv; ++j) {
            for (index_t i = j; i < npiv + ncb; ++i) panel(i, j) = values.next<T>();
            panel(j, j) = real_t<T>(j % 3 ? 3 * npiv : -3 * npiv);
        }
    }

    /// Columns k and k + 1 become a 2x2 pivot.
    void plant_pair(index_t k) {
        panel(k, k) = panel(k + 1, k + 1) = 0;
        panel(k + 1, k) = T(real_t<T>(3 * npiv));
    }

    /// Column k changes places with the last one.
    void plant_exchange(index_t k) {
        panel(k, k) = 1;
        panel(npiv - 1, k) = T(real_t<T>(2));
        panel(npiv - 1, npiv - 1) = T(real_t<T>(9 * npiv));
    }

    void factor(double threshold) {
        full_panel = panel;
        const auto kind = hermitian ? Factorization::ldlh : Factorization::ldlt;
        GuardedWorkspace<T> workspace(cpu::factor_front_workspace(kind, npiv, npiv + ncb));
        cpu::factor_front<T>(kind, panel.view(), {nullptr, npiv, ncb, 1}, contribution.view(), {1.0, 1e-6, threshold},
                             perm.data(), pivots.data(), workspace.data(), report);
        CHECK(workspace.intact());
        CHECK(panel.padding_intact());
        CHECK(panel.strict_upper_is_poison());
        CHECK(contribution.padding_intact());
        CHECK(contribution.strict_upper_is_poison());
    }

    double largest_l() const {
        double largest = 0;
        for (index_t j = 0; j < npiv; ++j)
            for (index_t i = npiv; i < npiv + ncb; ++i) {
                const std::complex<double> l(panel(i, j));
                largest = std::max(largest, std::abs(l.real()) + std::abs(l.imag()));
            }
        return largest;
    }

    reference::Matrix<T> l11() const {
        return reference::lower_triangle<T>(npiv, npiv, true, [&](index_t i, index_t j) { return panel(i, j); });
    }

    reference::Matrix<T> l21() const {
        return reference::Matrix<T>::from(ncb, npiv, [&](index_t i, index_t j) { return panel(npiv + i, j); });
    }

    /// L21 D L11^T = A21 P^T and S = C - L21 D L21^T
    void check_rows() const {
        const auto d = reference::block_diagonal<T>(npiv, hermitian, pivots.data());
        const auto before = reference::Matrix<T>::from(ncb, npiv, [&](index_t i, index_t j) {
            return full_panel(npiv + i, perm[static_cast<std::size_t>(j)]);
        });
        const auto l_d = l21() * d;
        CHECK(reference::relative_difference(l_d * l11().transposed(hermitian), before) <=
              rounding_bound<T>(8 * npiv + 20));
        const auto schur = exact_mirrored(full_contribution, hermitian) - l_d * l21().transposed(hermitian);
        CHECK(reference::relative_difference(exact_mirrored(contribution, hermitian), schur, in_lower) <=
              rounding_bound<T>(2 * npiv + 4));
    }
};

struct RowSizes {
    index_t npiv, ncb;
};

/// Around the widths of strips; several pieces of rows; L21 beyond the second cache.
constexpr RowSizes row_sizes[] = {{1, 1},  {1, 7},   {2, 8},   {3, 9},   {4, 23},  {5, 24}, {8, 25},
                                  {9, 47}, {12, 48}, {17, 49}, {33, 72}, {129, 9}, {6, 530}};

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("front rows: L21, its largest entry, the contribution", T, front_rows) {
    for (const auto [npiv, ncb] : row_sizes)
        for (const bool hermitian : {false, true})
            for (const int planted : {0, 1, 2}) {
                CAPTURE(npiv);
                CAPTURE(ncb);
                CAPTURE(hermitian);
                CAPTURE(planted);
                if (planted > 0 && npiv < 3) continue;
                RowsFront<T> front(npiv, ncb, hermitian);
                if (planted == 1) front.plant_pair(npiv / 2 - 1);
                if (planted == 2) front.plant_exchange(npiv / 3);
                front.factor(u);
                CHECK_FALSE(front.report.rejected);
                CHECK((front.report.two_by_two > 0) == (planted == 1));
                CHECK(std::is_sorted(front.perm.begin(), front.perm.end()) == (planted != 2));
                CHECK(front.report.largest_l == doctest::Approx(front.largest_l()).epsilon(4 * epsilon<T>()));
                front.check_rows();
            }
}

TEST_CASE_TEMPLATE_APPLY(front_rows, Scalars);

TEST_CASE_TEMPLATE_DEFINE("front rows: one above 1 / u, NaN or Inf anywhere", T, front_rows_bad) {
    for (const auto [npiv, ncb] : {RowSizes{1, 3}, {4, 17}, {8, 24}, {11, 50}})
        for (index_t k = 0; k < npiv; ++k)
            for (index_t r = 0; r < ncb; ++r)
                for (const double l : {0.75, 1.5, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
                    CAPTURE(npiv);
                    CAPTURE(k);
                    CAPTURE(r);
                    CAPTURE(l);
                    RowsFront<T> front(npiv, ncb, r % 2 == 0);
                    front.panel(npiv + r, k) = T(static_cast<real_t<T>>(l / u * 3 * npiv));
                    front.factor(u);
                    CHECK(front.report.rejected == (l != 0.75));
                    CHECK(front.report.rejected_by_rows == (l != 0.75));
                    if (l == 0.75) continue;
                    bool same = true;
                    for (index_t j = 0; j < ncb; ++j)
                        for (index_t i = j; i < ncb; ++i)
                            same = same && front.contribution(i, j) == front.full_contribution(i, j);
                    CHECK(same);
                }
}

TEST_CASE_TEMPLATE_APPLY(front_rows_bad, Scalars);
