// SPDX-License-Identifier: BSD-3-Clause
// Columns as threshold pivoting needs them: the check of a whole panel, and one column brought up
// to date and searched on the way.
#pragma once

#include "matrix_vector.hpp"
#include "vector_search.hpp"

namespace frond::cpu::FROND_ISA {

/// |re| + |im|, in both lanes of a complex scalar.
template<class T>
FROND_INLINE Vector<T> magnitudes(Vector<T> v) {
    v = v < 0 ? -v : v;
    if constexpr (is_complex<T>) v += swap_pairs(v);
    return v;
}

/// True when all |re| + |im| of a [m, n] are at most bound, none NaN.
template<class T>
FROND_INLINE bool all_within(index_t m, index_t n, const T* a, index_t lda, real_t<T> bound) {
    constexpr int streams = 4;
    using Mask = decltype(Vector<T>{} <= Vector<T>{});
    Mask within[streams];
    for (auto& w : within) w = Vector<T>{} <= Vector<T>{};
    for (index_t j = 0; j < n; ++j, a += lda) {
        index_t i = 0;
        for (; i + streams * lanes<T> <= m; i += streams * lanes<T>)
#pragma GCC unroll 4
            for (int s = 0; s < streams; ++s)
                within[s] &= magnitudes<T>(load<T>(a + i + s * lanes<T>)) <= bound;
        for_each_vector<T>(
            m - i, [&](index_t r, auto span) __attribute__((always_inline)) {
                within[0] &= magnitudes<T>(span.get(a + i + r)) <= bound;
            });
    }
    const Mask all = (within[0] & within[1]) & (within[2] & within[3]);
    std::uint64_t words[sizeof(Mask) / 8], both = ~std::uint64_t(0);
    std::memcpy(words, &all, sizeof all);
    for (const std::uint64_t word : words) both &= word;
    return both == ~std::uint64_t(0);
}

/// Most panels hold no such column: it is looked for only where there is one.
template<class T>
index_t first_column_above(index_t m, index_t n, const T* a, index_t lda, real_t<T> bound) {
    if (all_within<T>(m, n, a, lda, bound)) return n;
    index_t j = 0;
    while (all_within<T>(m, 1, a + static_cast<count_t>(j) * lda, lda, bound)) ++j;
    return j;
}

template<class T>
index_t reduce_column(index_t m, index_t n, const T* a, index_t lda, const T* y, T* x,
                      real_t<T>& largest) {
    if (n == 0) return largest_entry<T>(m, x, largest);
    LargestEntry<T> search;
    visit_reduced<T>(
        m, n, a, lda, y, x, [&](index_t i, auto span, Vector<T> v) __attribute__((always_inline)) {
            span.put(x + i, v);
            search.look_at(v, i, span.last());
        });
    return search.find(largest);
}

} // namespace frond::cpu::FROND_ISA
