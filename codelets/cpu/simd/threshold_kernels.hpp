// SPDX-License-Identifier: BSD-3-Clause
// Columns as threshold pivoting needs them: the check of a whole panel, and one column brought up
// to date and searched on the way.
#pragma once

#include "matrix_vector.hpp"
#include "vector_search.hpp"

#include <limits>

namespace frond::cpu::FROND_ISA {

/// |re| + |im|, in both lanes of a complex scalar.
template<class T>
FROND_INLINE Vector<T> magnitudes(Vector<T> v) {
    v = v < 0 ? -v : v;
    if constexpr (is_complex<T>) v += swap_pairs(v);
    return v;
}

/// Largest |re| + |im| of what it has seen; says NaN and infinity apart, which a maximum loses.
template<class T>
class LargestMagnitude {
public:
    using Mask = decltype(Vector<T>{} <= Vector<T>{});

    FROND_INLINE void look_at(Vector<T> v) {
        v = magnitudes<T>(v);
        finite_ &= v <= std::numeric_limits<real_t<T>>::max();
        largest_ = v > largest_ ? v : largest_;
    }
    FROND_INLINE void join(const LargestMagnitude& other) {
        finite_ &= other.finite_;
        largest_ = other.largest_ > largest_ ? other.largest_ : largest_;
    }
    /// Infinity when there was a NaN.
    FROND_INLINE real_t<T> value() const {
        std::uint64_t words[sizeof(Mask) / 8], all = ~std::uint64_t(0);
        std::memcpy(words, &finite_, sizeof finite_);
        for (const std::uint64_t word : words) all &= word;
        if (all != ~std::uint64_t(0)) return std::numeric_limits<real_t<T>>::infinity();
        real_t<T> parts[sizeof(Vector<T>) / sizeof(real_t<T>)], largest = 0;
        std::memcpy(parts, &largest_, sizeof largest_);
        for (const real_t<T> part : parts) largest = part > largest ? part : largest;
        return largest;
    }

private:
    Mask finite_ = Vector<T>{} <= Vector<T>{};
    Vector<T> largest_{};
};

/// Largest |re| + |im| of a [m, n]; infinity when one of them is NaN.
template<class T>
FROND_INLINE real_t<T> largest_magnitude(index_t m, index_t n, const T* a, index_t lda) {
    constexpr int streams = 4;
    LargestMagnitude<T> largest[streams];
    for (index_t j = 0; j < n; ++j, a += lda) {
        index_t i = 0;
        for (; i + streams * lanes<T> <= m; i += streams * lanes<T>)
#pragma GCC unroll 4
            for (int s = 0; s < streams; ++s) largest[s].look_at(load<T>(a + i + s * lanes<T>));
        for_each_vector<T>(
            m - i, [&](index_t r, auto span) __attribute__((always_inline)) {
                largest[0].look_at(span.get(a + i + r));
            });
    }
    for (int s = 1; s < streams; ++s) largest[0].join(largest[s]);
    return largest[0].value();
}

/// Most panels hold no such column: it is looked for only where there is one.
template<class T>
index_t first_column_above(index_t m, index_t n, const T* a, index_t lda, real_t<T> bound,
                           real_t<T>& largest) {
    largest = largest_magnitude<T>(m, n, a, lda);
    if (largest <= bound) return n;
    largest = 0;
    for (index_t j = 0;; ++j, a += lda) {
        const real_t<T> of_column = largest_magnitude<T>(m, 1, a, lda);
        if (!(of_column <= bound)) return j;
        largest = of_column > largest ? of_column : largest;
    }
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
