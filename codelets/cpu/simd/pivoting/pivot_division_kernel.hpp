// SPDX-License-Identifier: BSD-3-Clause
// X D^-1 for the block diagonal D of L D L^T, columns of X long.
#pragma once

#include "../../divide_by_pivots.hpp"
#include "../vector.hpp"

namespace frond::cpu::FROND_ISA {

/// to [m] := from1 c1 + from2 c2
template <class T>
FROND_INLINE Vector<T> combine(Vector<T> x, T c, Vector<T> y, T d) {
    return scaled<T>(x, c) + scaled<T>(y, d);
}

/// to [m, n] := from D^-1; from and to may be the same.
template <class T>
void divide_by_pivots(index_t m, index_t n, const T* pivots, bool hermitian, const T* from, index_t ld_from, T* to,
                      index_t ld_to) {
    for (index_t k = 0; k < n; ++k, from += ld_from, to += ld_to) {
        const T d = pivots[2 * k], e = pivots[2 * k + 1];
        if (e == T(0)) {
            const T inverse = T(1) / d;
            for_each_vector<T>(
                m, [&](index_t i, auto span)
                       __attribute__((always_inline)) { span.put(to + i, scaled<T>(span.get(from + i), inverse)); });
            continue;
        }
        const TwoByTwoInverse<T> inverse(d, e, pivots[2 * k + 2], hermitian);
        const T* from2 = from + ld_from;
        T* to2 = to + ld_to;
        for_each_vector<T>(
            m, [&](index_t i, auto span) __attribute__((always_inline)) {
                const Vector<T> x = span.get(from + i), y = span.get(from2 + i);
                span.put(to + i, combine<T>(x, inverse.a11, y, inverse.a21));
                span.put(to2 + i, combine<T>(x, inverse.a12, y, inverse.a22));
            });
        ++k;
        from = from2;
        to = to2;
    }
}

}  // namespace frond::cpu::FROND_ISA
