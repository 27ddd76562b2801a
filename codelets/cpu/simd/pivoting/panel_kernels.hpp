// SPDX-License-Identifier: BSD-3-Clause
// L of the rows below a diagonal block with 1x1 pivots, in one pass that also finds the largest
// |l|.
#pragma once

#include "../../scalar.hpp"
#include "../largest_magnitude.hpp"
#include "../products/matrix_vector.hpp"
#include "../products/product_block.hpp"
#include "../products/solve_kernels.hpp"
#include "../vector.hpp"

namespace frond::cpu::FROND_ISA {

/// x [m, n] := A L11^-T D^-1 (conjugated: L11^-H), unit L11 [n, n], n <= ldlt_rows_order; A may be
/// x. with_l_d: also l_d := x D, and A may be l_d. Returns the largest |re| + |im| of x,
/// infinity when one is NaN.
template <class T, bool with_l_d>
real_t<T> solve_ldlt_rows(index_t m, index_t n, const T* l11, index_t ldl, bool conjugated, const T* pivots, const T* a,
                          index_t lda, T* x, index_t ldx, T* l_d, index_t ld_l_d) {
    ScaledRows<T, simd::ldlt_rows_order> rows;
    LargestMagnitude<T> largest;
    for_each_column_block<T>(
        n, [&]<int C>(index_t j) __attribute__((always_inline)) {
            TriangleCoefficients<T, C> triangle;
            triangle.take_lower(l11 + j + static_cast<count_t>(j) * ldl, ldl, conjugated, true);
            for (int c = 0; c < C; ++c) triangle.inverse[c] = T(1) / pivots[2 * (j + c)];
            const T* right = rows.template take<C>(j, l11 + j, ldl, pivots);
            const T* a_j = a + static_cast<count_t>(j) * lda;
            for_each_strip<T>(
                m, [&]<int V, bool masked>(index_t i, int last) __attribute__((always_inline)) {
                    right_solve_block<T, V, C, Right::transposed, masked, true>(
                        j, x + i, ldx, right, C, conjugated, triangle, a_j + i, lda,
                        last, [&](int c, int v, Vector<T> y) __attribute__((always_inline)) {
                            const Vector<T> l = scaled<T>(y, triangle.inverse[c]);
                            const count_t column = j + c;
                            largest.look_at(l);
                            store_in_strip<T, V, masked>(x + i + column * ldx, v, l, last);
                            if constexpr (with_l_d) store_in_strip<T, V, masked>(l_d + i + column * ld_l_d, v, y, last);
                        });
                });
        });
    return largest.value();
}

// X D^-1 for the block diagonal D of L D L^T, columns of X long.

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

// Columns as threshold pivoting needs them: the check of a whole panel, and one column brought up
// to date and searched on the way.

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
