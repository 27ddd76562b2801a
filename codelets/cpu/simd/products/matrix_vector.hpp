// SPDX-License-Identifier: BSD-3-Clause
// y := y - A x for few columns, and the products of the columns of A with a vector: one pass over
// A.
#pragma once

#include "../vector.hpp"

namespace frond::cpu::FROND_ISA {

/// Columns read at once: enough streams to hide the latency of the sums.
inline constexpr int stream_columns = 8;

/// y [m] -= A [m, C] x [C]
template <class T, int C>
FROND_INLINE void subtract_columns(index_t m, const T* a, index_t lda, const T* x, T* y) {
    T factor[C];
    for (int c = 0; c < C; ++c) factor[c] = x[c];
    for_each_vector<T>(
        m, [&](index_t i, auto span) __attribute__((always_inline)) {
            Sum<T> even, odd;
#pragma GCC unroll 8
            for (int c = 0; c < C; ++c)
                (c % 2 ? odd : even).add_product(span.get(a + i + static_cast<count_t>(c) * lda), factor + c);
            span.put(y + i, span.get(y + i) - (even.total(false) + odd.total(false)));
        });
}

/// y [m] -= A [m, n] x [n]
template <class T>
FROND_INLINE void subtract_product(index_t m, index_t n, const T* a, index_t lda, const T* x, T* y) {
    if (m <= 0) return;
    index_t j = 0;
    for (; j + stream_columns <= n; j += stream_columns)
        subtract_columns<T, stream_columns>(m, a + static_cast<count_t>(j) * lda, lda, x + j, y);
    if (j + 4 <= n) {
        subtract_columns<T, 4>(m, a + static_cast<count_t>(j) * lda, lda, x + j, y);
        j += 4;
    }
    for (; j < n; ++j) subtract_columns<T, 1>(m, a + static_cast<count_t>(j) * lda, lda, x + j, y);
}

/// visit(i, span, x - A y) for the vectors that cover x [m], A [m, n], y [n] contiguous: one pass,
/// for n of a few dozen.
template <class T, class Visit>
FROND_INLINE void visit_reduced(index_t m, index_t n, const T* a, index_t lda, const T* y, const T* x, Visit visit) {
    constexpr int V = 4;
    index_t i = 0;
    for (; i + V * lanes<T> <= m; i += V * lanes<T>) {
        Sum<T> even[V], odd[V];
        const T* column = a + i;
        index_t p = 0;
        for (; p + 2 <= n; p += 2, column += 2 * static_cast<count_t>(lda)) {
#pragma GCC unroll 4
            for (int v = 0; v < V; ++v) even[v].add_product(load<T>(column + v * lanes<T>), y + p);
#pragma GCC unroll 4
            for (int v = 0; v < V; ++v) odd[v].add_product(load<T>(column + lda + v * lanes<T>), y + p + 1);
        }
        if (p < n)
#pragma GCC unroll 4
            for (int v = 0; v < V; ++v) even[v].add_product(load<T>(column + v * lanes<T>), y + p);
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v)
            visit(i + v * lanes<T>, WholeSpan<T>{},
                  load<T>(x + i + v * lanes<T>) - (even[v].total(false) + odd[v].total(false)));
    }
    for_each_vector<T>(
        m - i, [&](index_t r, auto span) __attribute__((always_inline)) {
            Sum<T> part[4];
            const T* column = a + i + r;
            index_t p = 0;
            for (; p + 4 <= n; p += 4)
#pragma GCC unroll 4
                for (int q = 0; q < 4; ++q, column += lda) part[q].add_product(span.get(column), y + p + q);
            for (; p < n; ++p, column += lda) part[0].add_product(span.get(column), y + p);
            visit(i + r, span,
                  span.get(x + i + r) -
                      ((part[0].total(false) + part[1].total(false)) + (part[2].total(false) + part[3].total(false))));
        });
}

/// Sum over the lanes of one register of scalars.
template <class T>
FROND_INLINE T sum_of_lanes(Vector<T> v) {
    using R = real_t<T>;
    constexpr int count = FROND_VECTOR_BYTES / static_cast<int>(sizeof(R));
    alignas(64) R lane[count];
    store<R>(lane, v);
    for (int half = count / 2; half >= (is_complex<T> ? 2 : 1); half /= 2)
        for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
    if constexpr (is_complex<T>)
        return T(lane[0], lane[1]);
    else
        return lane[0];
}

/// x_c -= sum over i of a(i, c) y_i, conjugated: conj(a(i, c)) y_i; c < C.
template <class T, int C>
FROND_INLINE void subtract_inner_products(index_t m, const T* a, index_t lda, bool conjugated, const T* y, T* x) {
    Vector<T> direct[C] = {}, crossed[is_complex<T> ? C : 1] = {};
    for_each_vector<T>(
        m, [&](index_t i, auto span) __attribute__((always_inline)) {
            const Vector<T> v = span.get(y + i);
            [[maybe_unused]] const Vector<T> swapped = is_complex<T> ? swap_pairs(v) : v;
#pragma GCC unroll 8
            for (int c = 0; c < C; ++c) {
                const Vector<T> u = span.get(a + i + static_cast<count_t>(c) * lda);
                direct[c] += u * v;
                if constexpr (is_complex<T>) crossed[c] += u * swapped;
            }
        });
    for (int c = 0; c < C; ++c) {
        if constexpr (is_complex<T>) {
            // direct: sums of re re and im im; crossed: of re(a) im(y) and im(a) re(y)
            const T d = sum_of_lanes<T>(direct[c]), e = sum_of_lanes<T>(crossed[c]);
            x[c] -=
                conjugated ? T(d.real() + d.imag(), e.real() - e.imag()) : T(d.real() - d.imag(), e.real() + e.imag());
        } else {
            x[c] -= sum_of_lanes<T>(direct[c]);
        }
    }
}

/// x [n] -= A^T y or A^H y, A [m, n], y [m]
template <class T>
FROND_INLINE void subtract_transposed_product(index_t m, index_t n, const T* a, index_t lda, bool conjugated,
                                              const T* y, T* x) {
    if (m <= 0) return;
    constexpr int C = is_complex<T> ? 4 : 8;
    index_t j = 0;
    for (; j + C <= n; j += C)
        subtract_inner_products<T, C>(m, a + static_cast<count_t>(j) * lda, lda, conjugated, y, x + j);
    for (; j + 2 <= n; j += 2)
        subtract_inner_products<T, 2>(m, a + static_cast<count_t>(j) * lda, lda, conjugated, y, x + j);
    if (j < n) subtract_inner_products<T, 1>(m, a + static_cast<count_t>(j) * lda, lda, conjugated, y, x + j);
}

}  // namespace frond::cpu::FROND_ISA
