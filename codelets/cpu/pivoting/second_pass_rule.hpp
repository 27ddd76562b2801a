// SPDX-License-Identifier: BSD-3-Clause
// What both second passes share: limits, and the largest entries of a column.
#pragma once

#include "../scalar.hpp"
#include "../scalar.hpp"
#include "../simd/kernel_table.hpp"
#include "frond/cpu/dense_view.hpp"
#include "frond/cpu/pivot_report.hpp"

#include <algorithm>
#include <limits>

namespace frond::cpu {

/// Pivots eliminated between two updates of the columns not looked at.
inline constexpr index_t second_pass_block = 48;
static_assert(second_pass_block <= simd::left_triangle_order);

template <class T>
struct SecondPassRule {
    SecondPassRule(const PivotRule& rule, double largest_threshold)
        : threshold(std::min(rule.threshold, largest_threshold)),
          zero(std::max(static_cast<real_t<T>>(rule.zero_pivot), std::numeric_limits<real_t<T>>::min())) {}

    double threshold;
    real_t<T> zero;
};

/// Largest |re| + |im| of some rows; row -1: none but NaN.
template <class T>
struct LargestOfRows {
    real_t<T> size = 0;
    index_t row = -1;

    void look_at(index_t at, real_t<T> other) {
        if (at < 0 || (row >= 0 && !(other > size))) return;
        size = other;
        row = at;
    }
};

/// x(begin .. end) -= A(begin .. end, :) y; their largest entry joins `largest`. x, a: row 0.
template <class T>
void reduce_rows(index_t begin, index_t end, index_t n, const T* a, index_t lda, const T* y, T* x,
                 LargestOfRows<T>& largest) {
    if (begin >= end) return;
    real_t<T> size = 0;
    const index_t at = simd::kernels<T>().reduce_column(end - begin, n, a + begin, lda, y, x + begin, size);
    if (at >= 0) largest.look_at(begin + at, size);
}

/// True when no entry of x [m] is above the limit or NaN.
template <class T>
bool all_null(index_t m, const T* x, real_t<T> zero) {
    return std::all_of(x, x + m, [=](T v) { return abs1(v) <= zero; });
}

/// Columns k .. end that have seen the same pivots, together: update(pivots seen, first column, columns). Then all have seen k.
template <class Update>
void update_columns_left(index_t* applied, index_t k, index_t end, Update&& update) {
    for (index_t begin = k, next; begin < end; begin = next) {
        const index_t from = applied[begin];
        next = begin + 1;
        while (next < end && applied[next] == from) ++next;
        if (from == k) continue;
        update(from, begin, next - begin);
        std::fill(applied + begin, applied + next, k);
    }
}

/// to [m] := from / d, also where 1 / d overflows.
template <class T>
void divide_by_pivot(index_t m, const T* from, T* to, T d) {
    if (abs1(T(1) / d) <= std::numeric_limits<real_t<T>>::max()) {
        const T pivot[2] = {d, T(0)};
        simd::kernels<T>().divide_by_pivots(m, 1, pivot, false, from, m, to, m);
    } else {
        for (index_t i = 0; i < m; ++i) to[i] = from[i] / d;
    }
}

}  // namespace frond::cpu
