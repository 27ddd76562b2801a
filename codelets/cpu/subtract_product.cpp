// SPDX-License-Identifier: BSD-3-Clause
#include "blas/blas.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"

namespace frond::cpu {
namespace {

/// y := y - A x, four columns of A at a time so that y is read and written once for the four.
template <class T>
void subtract_columns(DenseView<const T> a, const T* x, T* y) {
    index_t j = 0;
    for (; j + 4 <= a.cols; j += 4) {
        const T *a0 = &a(0, j), *a1 = &a(0, j + 1), *a2 = &a(0, j + 2), *a3 = &a(0, j + 3);
        const T x0 = x[j], x1 = x[j + 1], x2 = x[j + 2], x3 = x[j + 3];
        for (index_t i = 0; i < a.rows; ++i) y[i] -= a0[i] * x0 + a1[i] * x1 + a2[i] * x2 + a3[i] * x3;
    }
    for (; j < a.cols; ++j)
        for (index_t i = 0; i < a.rows; ++i) y[i] -= a(i, j) * x[j];
}

/// y := y - A^T x or y - A^H x, the dot products of four columns at a time.
template <class T, bool adjoint>
void subtract_dots(DenseView<const T> a, const T* x, T* y) {
    const auto term = [](T u, T v) { return (adjoint ? conjugate(u) : u) * v; };
    index_t j = 0;
    for (; j + 4 <= a.cols; j += 4) {
        const T *a0 = &a(0, j), *a1 = &a(0, j + 1), *a2 = &a(0, j + 2), *a3 = &a(0, j + 3);
        T s0{}, s1{}, s2{}, s3{};
        for (index_t i = 0; i < a.rows; ++i) {
            s0 += term(a0[i], x[i]);
            s1 += term(a1[i], x[i]);
            s2 += term(a2[i], x[i]);
            s3 += term(a3[i], x[i]);
        }
        y[j] -= s0;
        y[j + 1] -= s1;
        y[j + 2] -= s2;
        y[j + 3] -= s3;
    }
    for (; j < a.cols; ++j) {
        T sum{};
        for (index_t i = 0; i < a.rows; ++i) sum += term(a(i, j), x[i]);
        y[j] -= sum;
    }
}

}  // namespace

template <class T>
void subtract_product(DenseView<const T> a, Operation op, DenseView<const T> x, DenseView<T> y) {
    if (a.rows == 0 || a.cols == 0) return;
    if (op == Operation::none && x.cols == 1) return subtract_columns(a, x.data, y.data);
    if (op == Operation::transpose && x.cols == 1) return subtract_dots<T, false>(a, x.data, y.data);
    if (op == Operation::adjoint && x.cols == 1) return subtract_dots<T, true>(a, x.data, y.data);
    const auto letter = op == Operation::none        ? blas::Op::none
                        : op == Operation::transpose ? blas::Op::transpose
                                                     : blas::Op::adjoint;
    blas::gemm(letter, blas::Op::none, T(-1), a, x, T(1), y);
}

#define FROND_INSTANTIATE(T) \
    template void subtract_product<T>(DenseView<const T>, Operation, DenseView<const T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
