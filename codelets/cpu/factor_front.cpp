// SPDX-License-Identifier: BSD-3-Clause
#include "factor_llt_impl.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"

#include <algorithm>

namespace frond::cpu {

namespace {

/// Parts of a panel [nfront, npiv]: the pivot block and the rows below it.
template<class T>
struct FrontParts {
    DenseView<T> diagonal, below;

    explicit FrontParts(DenseView<T> panel)
        : diagonal(panel.block(0, 0, panel.cols, panel.cols)),
          below(panel.block(panel.cols, 0, panel.rows - panel.cols, panel.cols)) {}
};

template<class T>
void factor_front_llt(DenseView<T> panel, DenseView<T> contribution, PivotReport& report) {
    const FrontParts<T> front(panel);
    PivotReport own;
    factor_llt_panel(panel, own);
    report += own;
    if (own.failed_column >= 0) return;
    update_lower<T>(front.below, front.below, true, contribution);
}

template<class T>
void factor_front_ldlt(bool hermitian, DenseView<T> panel, DenseView<T> contribution,
                       const PivotRule& rule, index_t* perm, T* pivots, T* workspace,
                       PivotReport& report) {
    const FrontParts<T> front(panel);
    const index_t npiv = panel.cols, ncb = front.below.rows;
    factor_ldlt<T>(front.diagonal, hermitian, rule, pivots, perm, workspace, report);
    const DenseView<T> l_d{workspace, ncb, npiv, std::max<index_t>(ncb, 1)};
    solve_panel_ldlt<T>(front.diagonal, hermitian, pivots, perm, front.below, l_d);
    update_lower<T>(front.below, l_d, hermitian, contribution);
}

template<class T>
void factor_front_lu(DenseView<T> panel, DenseView<T> upper, DenseView<T> contribution,
                     const PivotRule& rule, index_t* perm, T* workspace, PivotReport& report) {
    const FrontParts<T> front(panel);
    factor_lu<T>(front.diagonal, rule, perm, workspace, report);
    solve_panel_lu_lower<T>(front.diagonal, front.below);
    solve_panel_lu_upper<T>(front.diagonal, perm, upper, workspace);
    update_general<T>(front.below, upper, contribution);
}

} // namespace

template<class T>
void factor_front(Factorization kind, DenseView<T> panel, DenseView<T> upper,
                  DenseView<T> contribution, const PivotRule& rule, index_t* perm, T* pivots,
                  T* workspace, PivotReport& report) {
    if (kind == Factorization::llt)
        factor_front_llt(panel, contribution, report);
    else if (kind == Factorization::lu)
        factor_front_lu(panel, upper, contribution, rule, perm, workspace, report);
    else
        factor_front_ldlt(kind == Factorization::ldlh, panel, contribution, rule, perm, pivots,
                          workspace, report);
}

count_t factor_front_workspace(Factorization kind, index_t npiv, index_t nfront) {
    if (kind == Factorization::llt) return 0;
    if (kind == Factorization::lu) return npiv;
    const count_t l_d = static_cast<count_t>(nfront - npiv) * npiv;
    return std::max(l_d, factor_ldlt_workspace(npiv));
}

#define FROND_INSTANTIATE(T)                                                                       \
    template void factor_front<T>(Factorization, DenseView<T>, DenseView<T>, DenseView<T>,         \
                                  const PivotRule&, index_t*, T*, T*, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

} // namespace frond::cpu
