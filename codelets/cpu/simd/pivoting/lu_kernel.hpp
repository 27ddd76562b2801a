// SPDX-License-Identifier: BSD-3-Clause
// P A = L U of a block of a few dozen columns with partial pivoting: left-looking by blocks of
// columns, and inside a block column by column, so that each entry is written once per block.
#pragma once

#include "../products/solve_kernels.hpp"
#include "../products/update_kernels.hpp"
#include "../largest_magnitude.hpp"

namespace frond::cpu::FROND_ISA {

template <class T>
FROND_INLINE void swap_rows(index_t columns, T* a, index_t lda, index_t i, index_t p) {
    for (index_t j = 0; j < columns; ++j, a += lda) std::swap(a[i], a[p]);
}

/// One step of right-looking elimination: l := x / d in the m rows below the pivot, subtracted from
/// the `rest` columns after it; row[j]: their entries in the pivot row. The next column is
/// searched.
template <class T>
FROND_INLINE void lu_eliminate(index_t m, index_t rest, T inverse, const T* row, T* x, index_t lda,
                               LargestEntry<T>& search) {
    for_each_vector<T>(
        m, [&](index_t i, auto span) __attribute__((always_inline)) {
            const Vector<T> l = scaled<T>(span.get(x + i), inverse), l_i = rotated<T>(l);
            span.put(x + i, l);
            T* next = x + i + lda;
            for (index_t j = 0; j < rest; ++j, next += lda) {
                const Vector<T> y = subtract_scaled<T>(span.get(next), l, l_i, row[j]);
                span.put(next, y);
                if (j == 0) search.look_at(y, i, span.last());
            }
        });
}

/// Factor to multiply the column below pivot d with: 1 / d, or 1 for d = 0, where the column is
/// zero. A pivot whose reciprocal overflows is divided by before.
template <class T>
FROND_INLINE T inverse_pivot(index_t m, T* below, T d) {
    if (d == T(0)) return T(1);
    const T inverse = T(1) / d;
    if (!(abs1(inverse) > std::numeric_limits<real_t<T>>::max())) return inverse;
    for (index_t i = 0; i < m; ++i) below[i] /= d;
    return T(1);
}

/// [L; U] of a [m, n], n <= block_columns; swaps[c]: the row exchanged with row c. `first`: the
/// position of the first column, for the judge.
template <class T>
FROND_INLINE void lu_columns(index_t m, index_t n, T* a, index_t lda, index_t* swaps, index_t first,
                             const simd::PivotJudge<T>& judge) {
    real_t<T> largest;
    index_t pivot = largest_entry<T>(m, a, largest);
    for (index_t c = 0; c < n; ++c) {
        T* x = a + c + static_cast<count_t>(c) * lda;
        swaps[c] = pivot < 0 ? c : c + pivot;
        if (pivot > 0) swap_rows<T>(n, a, lda, c, c + pivot);
        if (!(abs1(*x) >= judge.ordinary)) *x = judge.raise(judge.counter, *x, first + c);
        T row[block_columns<T>];
        for (index_t j = c + 1; j < n; ++j) row[j - c - 1] = x[static_cast<count_t>(j - c) * lda];
        LargestEntry<T> search;
        const index_t below = m - c - 1;
        lu_eliminate<T>(below, n - c - 1, inverse_pivot<T>(below, x + 1, *x), row, x + 1, lda, search);
        pivot = search.find(largest);
    }
}

/// P A = L U of a [m, n], m >= n, all rows searched. Rows are exchanged in all n columns; swaps[c]
/// as above, relative to the block.
template <class T>
void lu_panel(index_t m, index_t n, T* a, index_t lda, index_t* swaps, index_t first,
              const simd::PivotJudge<T>& judge) {
    constexpr index_t width = block_columns<T>;
    for (index_t j = 0; j < n; j += width) {
        const index_t columns = std::min(width, n - j);
        T* block = a + static_cast<count_t>(j) * lda;
        if (j > 0) {
            left_solve_lower<T, true>(j, columns, a, lda, block, lda);
            unpacked_update<T, Right::plain>(m - j, columns, j, a + j, lda, block, lda, false, block + j, lda);
        }
        lu_columns<T>(m - j, columns, block + j, lda, swaps + j, first + j, judge);
        for (index_t c = j; c < j + columns; ++c) {
            swaps[c] += j;
            if (swaps[c] == c) continue;
            swap_rows<T>(j, a, lda, c, swaps[c]);
            swap_rows<T>(n - j - columns, block + static_cast<count_t>(columns) * lda, lda, c, swaps[c]);
        }
    }
}

}  // namespace frond::cpu::FROND_ISA
