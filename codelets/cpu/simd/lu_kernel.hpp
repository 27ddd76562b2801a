// SPDX-License-Identifier: BSD-3-Clause
// P A = L U of a block of a few dozen columns with partial pivoting: left-looking by blocks of
// columns, and inside a block column by column, so that each entry is written once per block.
#pragma once

#include "left_solve_kernel.hpp"
#include "update_kernels.hpp"
#include "vector_search.hpp"

namespace frond::cpu::FROND_ISA {

template<class T>
FROND_INLINE void swap_rows(index_t columns, T* a, index_t lda, index_t i, index_t p) {
    for (index_t j = 0; j < columns; ++j, a += lda) std::swap(a[i], a[p]);
}

/// Column c of a block: rows above the diagonal become U, rows below are updated by the c columns
/// before it; returns the row of the largest of them, >= c.
template<class T>
FROND_INLINE index_t lu_update_column(index_t m, index_t c, const T* a, index_t lda, T* x) {
    for (index_t q = 0; q < c; ++q)
        for (index_t r = q + 1; r < c; ++r)
            x[r] -= multiply(a[r + static_cast<count_t>(q) * lda], x[q]);
    LargestEntry<T> search;
    for_each_vector<T>(
        m - c, [&](index_t i, auto span) __attribute__((always_inline)) {
            Sum<T> sum;
            for (index_t q = 0; q < c; ++q)
                sum.add_product(span.get(a + c + i + static_cast<count_t>(q) * lda), x + q);
            const Vector<T> y = span.get(x + c + i) - sum.total(false);
            search.look_at(y, c + i, span.last());
            span.put(x + c + i, y);
        });
    real_t<T> largest;
    const index_t row = search.find(largest);
    return row < 0 ? c : row;
}

/// [L; U] of a [m, n], n <= block_columns; swaps[c]: the row exchanged with row c.
template<class T>
FROND_INLINE void lu_columns(index_t m, index_t n, T* a, index_t lda, index_t* swaps,
                             const simd::PivotJudge<T>& judge) {
    for (index_t c = 0; c < n; ++c) {
        T* x = a + static_cast<count_t>(c) * lda;
        swaps[c] = lu_update_column<T>(m, c, a, lda, x);
        if (swaps[c] != c) swap_rows<T>(n, a, lda, c, swaps[c]);
        x[c] = judge.accept(judge.counter, x[c]);
        divide_column<T>(m - c - 1, x + c + 1, x[c]);
    }
}

/// P A = L U of a [m, n], m >= n, all rows searched. Rows are exchanged in all n columns; swaps[c]
/// as above, relative to the block.
template<class T>
void lu_panel(index_t m, index_t n, T* a, index_t lda, index_t* swaps,
              const simd::PivotJudge<T>& judge) {
    constexpr index_t width = block_columns<T>;
    for (index_t j = 0; j < n; j += width) {
        const index_t columns = std::min(width, n - j);
        T* block = a + static_cast<count_t>(j) * lda;
        if (j > 0) {
            left_solve_lower<T, true>(j, columns, a, lda, block, lda);
            unpacked_update<T, Right::plain>(m - j, columns, j, a + j, lda, block, lda, false,
                                             block + j, lda);
        }
        lu_columns<T>(m - j, columns, block + j, lda, swaps + j, judge);
        for (index_t c = j; c < j + columns; ++c) {
            swaps[c] += j;
            if (swaps[c] == c) continue;
            swap_rows<T>(j, a, lda, c, swaps[c]);
            swap_rows<T>(n - j - columns, block + static_cast<count_t>(columns) * lda, lda, c,
                         swaps[c]);
        }
    }
}

} // namespace frond::cpu::FROND_ISA
