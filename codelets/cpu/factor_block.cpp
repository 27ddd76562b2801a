// SPDX-License-Identifier: BSD-3-Clause
#include "block_steps.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/pivot_record.hpp"
#include "permute_rows.hpp"
#include "pivoting/static_perturbation.hpp"
#include "simd/kernel_table.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>
#include <utility>

namespace frond::cpu {

template <class T>
void factor_llt(DenseView<T> a, PivotReport& report) {
    factor_llt_panel(a, report);
}

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

namespace {

/// Columns factored by one call of the register-blocked kernel.
constexpr index_t lu_block = 32;

/// P A = L U of a panel [m, n], m >= n, by halves of its columns (Toledo 1997, section 3). `first`:
/// position of its first column in the block.
template <class T>
void factor_by_halves(DenseView<T> a, index_t first, index_t* swaps, const simd::PivotJudge<T>& judge) {
    const index_t m = a.rows, n = a.cols;
    const auto& kernels = simd::kernels<T>();
    if (n <= lu_block) {
        kernels.lu_panel(m, n, a.data, a.ld, swaps, first, judge);
        return;
    }
    const index_t n1 = (n / 2 + lu_block - 1) / lu_block * lu_block, n2 = n - n1;
    const auto left = a.block(0, 0, m, n1), right = a.block(0, n1, m, n2);
    factor_by_halves(left, first, swaps, judge);
    swap_rows(right, 0, swaps, n1);
    solve_left_lower(left.block(0, 0, n1, n1).as_const(), true, right.block(0, 0, n1, n2));
    const auto rest = right.block(n1, 0, m - n1, n2);
    update_general<T>(left.block(n1, 0, m - n1, n1), right.block(0, 0, n1, n2), rest);
    factor_by_halves(rest, first + n1, swaps + n1, judge);
    swap_rows(left.block(n1, 0, m - n1, n1), 0, swaps + n1, n2);
    for (index_t k = n1; k < n; ++k) swaps[k] += n1;
}

}  // namespace

template <class T>
void factor_lu(DenseView<T> a, const PivotRule& rule, index_t* perm, T* workspace, PivotReport& report, T* replaced) {
    const index_t n = a.cols;
    static_assert(sizeof(T) >= sizeof(index_t));
    index_t* swaps = ::new (static_cast<void*>(workspace)) index_t[static_cast<std::size_t>(n)];
    if (rule.threshold > 0) {
        FROND_EXPECTS(replaced != nullptr || n == 0, "threshold pivoting needs room for `replaced`");
        PivotReplacement<T> replacement(n, rule, replaced);
        factor_by_halves(a, 0, swaps, replacement.judge());
    } else {
        PivotCounter<T> counter(rule, false);
        factor_by_halves(a, 0, swaps, counter.judge());
        for (index_t k = 0; k < n; ++k) counter.count(a(k, k));
        counter.finish(report);
    }
    std::iota(perm, perm + n, 0);
    for (index_t k = 0; k < n; ++k) std::swap(perm[k], perm[swaps[k]]);
}

template <class T>
void select_pivot_rows(DenseView<T> a, index_t* swaps) {
    FROND_EXPECTS(a.rows >= a.cols, "a block that is wider than tall has no row for each pivot");
    const auto keep_going = [](void*, T, index_t) { return T(1); };  // for a column of zeros any row will do
    factor_by_halves(a, 0, swaps,
                     simd::PivotJudge<T>{nullptr, std::numeric_limits<real_t<T>>::min(), keep_going, nullptr, 0});
}

count_t factor_lu_workspace(index_t n) { return n; }

#define FROND_INSTANTIATE(T)                                                                                \
    template void factor_llt<T>(DenseView<T>, PivotReport&);                                                \
    template void factor_ldlt<T>(DenseView<T>, bool, const PivotRule&, T*, index_t*, T*, PivotReport&, T*); \
    template void factor_lu<T>(DenseView<T>, const PivotRule&, index_t*, T*, PivotReport&, T*);             \
    template void select_pivot_rows<T>(DenseView<T>, index_t*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
