// SPDX-License-Identifier: BSD-3-Clause
// Columns as threshold pivoting needs them: the check of a whole panel, and one column brought up
// to date and searched on the way.
#pragma once

#include "../largest_magnitude.hpp"
#include "../products/matrix_vector.hpp"
#include "../vector_search.hpp"

namespace frond::cpu::FROND_ISA {

/// Largest |re| + |im| of a [m, n]; infinity when one of them is NaN.
template <class T>
FROND_INLINE real_t<T> largest_magnitude(index_t m, index_t n, const T* a, index_t lda) {
    constexpr int streams = 4;
    LargestMagnitude<T> largest[streams];
    for (index_t j = 0; j < n; ++j, a += lda) {
        index_t i = 0;
        for (; i + streams * lanes<T> <= m; i += streams * lanes<T>)
#pragma GCC unroll 4
            for (int s = 0; s < streams; ++s) largest[s].look_at(load<T>(a + i + s * lanes<T>));
        for_each_vector<T>(
            m - i, [&](index_t r, auto span)
                       __attribute__((always_inline)) { largest[0].look_at(span.get(a + i + r)); });
    }
    for (int s = 1; s < streams; ++s) largest[0].join(largest[s]);
    return largest[0].value();
}

/// Most panels hold no such column: it is looked for only where there is one.
template <class T>
index_t first_column_above(index_t m, index_t n, const T* a, index_t lda, real_t<T> bound, real_t<T>& largest) {
    largest = largest_magnitude<T>(m, n, a, lda);
    if (largest <= bound) return n;
    largest = 0;
    for (index_t j = 0;; ++j, a += lda) {
        const real_t<T> of_column = largest_magnitude<T>(m, 1, a, lda);
        if (!(of_column <= bound)) return j;
        largest = of_column > largest ? of_column : largest;
    }
}

template <class T>
index_t reduce_column(index_t m, index_t n, const T* a, index_t lda, const T* y, T* x, real_t<T>& largest) {
    if (n == 0) return largest_entry<T>(m, x, largest);
    LargestEntry<T> search;
    visit_reduced<T>(
        m, n, a, lda, y, x, [&](index_t i, auto span, Vector<T> v) __attribute__((always_inline)) {
            span.put(x + i, v);
            search.look_at(v, i, span.last());
        });
    return search.find(largest);
}

}  // namespace frond::cpu::FROND_ISA
