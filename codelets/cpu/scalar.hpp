// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic on one scalar. Complex products are written out: std::complex's own repair NaN parts
// (C99 annex G), which costs a call per product and never helps a factorization.
#pragma once

#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"

#include <algorithm>
#include <cmath>

namespace frond::cpu {

template <class T>
inline T multiply(T a, T b) {
    if constexpr (is_complex<T>)
        return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    else
        return a * b;
}

/// |re| + |im|, within a factor sqrt(2) of the modulus, without a root: for pivot searches.
template <class T>
inline real_t<T> abs1(T a) {
    if constexpr (is_complex<T>)
        return std::abs(a.real()) + std::abs(a.imag());
    else
        return std::abs(a);
}

template <class T>
inline T conjugate_if(bool condition, T a) {
    return condition ? conjugate(a) : a;
}

// Products with the inverse of the block diagonal D of LDL^T and LDL^H.

/// Inverse of [d11 e'; e d22] with e' = e, or conj(e) when Hermitian, scaled by e so that no
/// product of two pivot entries can overflow (LAPACK's dsytrs does the same): (x1, x2) -> (a11 x1 +
/// a12 x2, a21 x1 + a22 x2).
template <class T>
struct TwoByTwoInverse {
    T a11, a12, a21, a22;

    TwoByTwoInverse(T d11, T e, T d22, bool hermitian) {
        const T upper = conjugate_if(hermitian, e);
        const T s11 = d11 / upper, s22 = d22 / e;
        const T t = T(1) / (multiply(s11, s22) - T(1));
        a11 = multiply(s22, t) / upper;
        a22 = multiply(s11, t) / e;
        a12 = -t / e;
        a21 = -t / upper;
    }
};

/// to := from D^-1, columns; from and to may be the same block.
template <class T>
void divide_columns_by_pivots(const T* pivots, bool hermitian, DenseView<T> from, DenseView<T> to) {
    for (index_t k = 0; k < from.cols; ++k) {
        const T *f1 = from.column(k), e = pivots[2 * k + 1];
        T* t1 = to.column(k);
        if (e == T(0)) {
            const T d = pivots[2 * k];
            for (index_t i = 0; i < from.rows; ++i) t1[i] = f1[i] / d;
            continue;
        }
        const TwoByTwoInverse<T> inverse(pivots[2 * k], e, pivots[2 * k + 2], hermitian);
        const T* f2 = from.column(k + 1);
        T* t2 = to.column(k + 1);
        for (index_t i = 0; i < from.rows; ++i) {
            const T x1 = f1[i], x2 = f2[i];
            t1[i] = multiply(x1, inverse.a11) + multiply(x2, inverse.a21);
            t2[i] = multiply(x1, inverse.a12) + multiply(x2, inverse.a22);
        }
        ++k;
    }
}

}  // namespace frond::cpu
