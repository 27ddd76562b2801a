// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "pivoting/pivot_replacement.hpp"
#include "pivoting/static_perturbation.hpp"
#include "simd/kernel_table.hpp"
#include "swap_rows.hpp"

#include <algorithm>
#include <numeric>

namespace frond::cpu {

namespace {

template <class T>
void factor_by_blocks(DenseView<T> a, bool conjugated, T* pivots, index_t* perm, T* workspace,
                      const simd::PivotJudge<T>& judge) {
    const index_t n = a.cols;
    std::iota(perm, perm + n, 0);
    for (index_t k = 0; k < n;) {
        index_t swaps[simd::ldlt_block + 1];
        const index_t next = simd::kernels<T>().ldlt_columns(n, k, std::min(simd::ldlt_block, n - k), a.data, a.ld,
                                                             conjugated, pivots, perm, workspace, swaps, judge);
        swap_rows(a.block(0, 0, n, k), k, swaps, next - k);
        const DenseView<const T> l_d{workspace + next, n - next, next - k, n};
        update_lower<T>(a.block(next, k, n - next, next - k), l_d, conjugated, a.block(next, next, n - next, n - next));
        k = next;
    }
}

}  // namespace

template <class T>
void factor_ldlt(DenseView<T> a, bool hermitian, const PivotRule& rule, T* pivots, index_t* perm, T* workspace,
                 PivotReport& report, T* replaced) {
    const index_t n = a.cols;
    const bool conjugated = hermitian && is_complex<T>;
    if (rule.threshold > 0) {
        FROND_EXPECTS(replaced != nullptr || n == 0, "threshold pivoting needs room for `replaced`");
        PivotReplacement<T> replacement(n, rule, replaced);
        factor_by_blocks(a, conjugated, pivots, perm, workspace, replacement.judge());
        return;
    }
    PivotCounter<T> counter(rule, !is_complex<T> || hermitian);
    factor_by_blocks(a, conjugated, pivots, perm, workspace, counter.judge());
    for (index_t k = 0; k < n; ++k)
        if (pivots[2 * k + 1] != T(0))
            ++k;
        else
            counter.count(pivots[2 * k]);
    counter.finish(report);
}

count_t factor_ldlt_workspace(index_t n) { return static_cast<count_t>(n) * (std::min(n, simd::ldlt_block) + 1); }

#define FROND_INSTANTIATE(T) \
    template void factor_ldlt<T>(DenseView<T>, bool, const PivotRule&, T*, index_t*, T*, PivotReport&, T*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
