// SPDX-License-Identifier: BSD-3-Clause
// Products with the inverse of the block diagonal D of LDL^T and LDL^H.
#pragma once

#include "frond/cpu/dense_view.hpp"
#include "scalar.hpp"

#include <algorithm>

namespace frond::cpu {

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
