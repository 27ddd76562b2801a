// SPDX-License-Identifier: BSD-3-Clause
#include "block_steps.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/threshold.hpp"

#include <algorithm>

namespace frond::cpu {

namespace {

/// Parts of a panel [nfront, npiv]: the pivot block and the rows below it.
template <class T>
struct FrontParts {
    DenseView<T> diagonal, below;

    explicit FrontParts(DenseView<T> panel)
        : diagonal(panel.block(0, 0, panel.cols, panel.cols)),
          below(panel.block(panel.cols, 0, panel.rows - panel.cols, panel.cols)) {}
};

template <class T>
void factor_front_llt(DenseView<T> panel, DenseView<T> contribution, PivotReport& report) {
    const FrontParts<T> front(panel);
    PivotReport own;
    factor_llt_panel(panel, own);
    report += own;
    if (own.failed_column >= 0) return;
    update_lower<T>(front.below, front.below, true, contribution);
}

/// Threshold pivoting of a whole front: all pivots are kept, or the front is given up.
template <class T>
class FrontCheck {
public:
    FrontCheck(const PivotRule& rule, PivotReport& report) : rule_(rule), report_(report) {}

    bool on() const { return rule_.threshold > 0; }

    /// False, and report.rejected, when a pivot was replaced.
    bool pivots_pass(index_t npiv, const T* replaced) {
        return pass(!on() || first_replaced_pivot<T>(npiv, replaced) == npiv);
    }

    bool rows_pass(double largest) {
        if (!on()) return true;
        const bool passes = pass(largest <= static_cast<real_t<T>>(1 / rule_.threshold));
        if (passes) report_.largest_l = std::max(report_.largest_l, largest);
        report_.rejected_by_rows = report_.rejected_by_rows || !passes;
        return passes;
    }

private:
    bool pass(bool passes) {
        report_.rejected = report_.rejected || !passes;
        return passes;
    }

    const PivotRule& rule_;
    PivotReport& report_;
};

/// Rows below the pivots and the contribution, where L D is not kept: 1x1 pivots, L21 in the second
/// cache. A copy of A21 is needed only where columns were exchanged.
template <class T>
class ScaledUpdate {
public:
    ScaledUpdate(const FrontParts<T>& front, bool hermitian, const T* pivots)
        : front_(front), hermitian_(hermitian), pivots_(pivots) {}

    bool possible() const {
        const count_t m = front_.below.rows, n = front_.below.cols;
        return n <= simd::ldlt_rows_order && m * n * static_cast<count_t>(sizeof(T)) <= second_cache_bytes &&
               m * m * n < simd::kernels<T>().library_volume && !has_two_by_two(front_.below.cols, pivots_);
    }

    double solve(const index_t* perm, DenseView<T> copy) const {
        const DenseView<T> below = front_.below;
        if (below.rows == 0) return 0;
        const bool in_order = std::is_sorted(perm, perm + below.cols);
        for (index_t k = 0; k < below.cols && !in_order; ++k)
            std::copy_n(below.column(perm[k]), below.rows, copy.column(k));
        return solve_ldlt_rows<T>(front_.diagonal, hermitian_, pivots_, in_order ? below : copy, below,
                                  {nullptr, below.rows, 0, 1});
    }

    void update(DenseView<T> contribution) const {
        simd::kernels<T>().update_lower_scaled(contribution.cols, front_.below.cols, front_.below.data, front_.below.ld,
                                               pivots_, hermitian_, contribution.data, contribution.ld);
    }

private:
    static constexpr count_t second_cache_bytes = 512 * 1024;

    const FrontParts<T>& front_;
    bool hermitian_;
    const T* pivots_;
};

template <class T>
void factor_front_ldlt(Factorization kind, DenseView<T> panel, DenseView<T> contribution, const PivotRule& rule,
                       index_t* perm, T* pivots, T* workspace, PivotReport& report) {
    const FrontParts<T> front(panel);
    FrontCheck<T> check(rule, report);
    const bool hermitian = kind == Factorization::ldlh;
    const index_t npiv = panel.cols, ncb = front.below.rows;
    T *replaced = workspace, *rest = workspace + npiv;
    factor_ldlt<T>(front.diagonal, hermitian, rule, pivots, perm, rest, report, replaced);
    if (!check.pivots_pass(npiv, replaced)) return;
    const DenseView<T> l_d{rest, ncb, npiv, std::max<index_t>(ncb, 1)};
    const ScaledUpdate<T> scaled(front, hermitian, pivots);
    const bool without_l_d = scaled.possible();
    double largest = 0;
    if (without_l_d)
        largest = scaled.solve(perm, l_d);
    else
        solve_panel_ldlt<T>(front.diagonal, hermitian, pivots, perm, front.below, l_d, check.on() ? &largest : nullptr);
    if (!check.rows_pass(largest)) return;
    if (check.on()) count_pivots<T>(kind, npiv, front.diagonal, pivots, report);
    if (without_l_d)
        scaled.update(contribution);
    else
        update_lower<T>(front.below, l_d, hermitian, contribution);
}

template <class T>
void factor_front_lu(DenseView<T> panel, DenseView<T> upper, DenseView<T> contribution, const PivotRule& rule,
                     index_t* perm, T* workspace, PivotReport& report) {
    const FrontParts<T> front(panel);
    FrontCheck<T> check(rule, report);
    const index_t npiv = panel.cols;
    T *replaced = workspace, *rest = workspace + npiv;
    factor_lu<T>(front.diagonal, rule, perm, rest, report, replaced);
    if (!check.pivots_pass(npiv, replaced)) return;
    solve_panel_lu_lower<T>(front.diagonal, front.below);
    if (check.on() && !check.rows_pass(largest_magnitude<T>(front.below))) return;
    if (check.on()) count_pivots<T>(Factorization::lu, npiv, front.diagonal, nullptr, report);
    solve_panel_lu_upper<T>(front.diagonal, perm, upper, rest);
    update_general<T>(front.below, upper, contribution);
}

}  // namespace

template <class T>
void factor_front(Factorization kind, DenseView<T> panel, DenseView<T> upper, DenseView<T> contribution,
                  const PivotRule& rule, index_t* perm, T* pivots, T* workspace, PivotReport& report) {
    if (kind == Factorization::llt)
        factor_front_llt(panel, contribution, report);
    else if (kind == Factorization::lu)
        factor_front_lu(panel, upper, contribution, rule, perm, workspace, report);
    else
        factor_front_ldlt(kind, panel, contribution, rule, perm, pivots, workspace, report);
}

count_t factor_front_workspace(Factorization kind, index_t npiv, index_t nfront) {
    if (kind == Factorization::llt) return 0;
    if (kind == Factorization::lu) return 2 * static_cast<count_t>(npiv);
    const count_t l_d = static_cast<count_t>(nfront - npiv) * npiv;
    return npiv + std::max(l_d, factor_ldlt_workspace(npiv));
}

#define FROND_INSTANTIATE(T)                                                                                           \
    template void factor_front<T>(Factorization, DenseView<T>, DenseView<T>, DenseView<T>, const PivotRule&, index_t*, \
                                  T*, T*, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
