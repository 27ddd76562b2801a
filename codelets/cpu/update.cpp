// SPDX-License-Identifier: BSD-3-Clause
#include "blas/blas.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "simd/kernel_table.hpp"

namespace frond::cpu {

using blas::Op;

namespace {

template <class T>
bool left_to_library(DenseView<const T> a, index_t n) {
    return static_cast<count_t>(a.rows) * a.cols * n >= simd::kernels<T>().library_volume;
}

/// Halves until the diagonal blocks are small: the products on the way are whole.
template <class T>
void update_lower_by_halves(DenseView<const T> a, DenseView<const T> b, bool adjoint, DenseView<T> c) {
    const index_t n = c.cols, k = a.cols;
    if (!left_to_library(a, n) || n < 16) {
        simd::kernels<T>().update_lower(n, k, a.data, a.ld, b.data, b.ld, adjoint, c.data, c.ld);
        return;
    }
    const index_t n1 = n / 2, n2 = n - n1;
    update_lower_by_halves<T>(a.block(0, 0, n1, k), b.block(0, 0, n1, k), adjoint, c.block(0, 0, n1, n1));
    update_transposed<T>(a.block(n1, 0, n2, k), b.block(0, 0, n1, k), adjoint, c.block(n1, 0, n2, n1));
    update_lower_by_halves<T>(a.block(n1, 0, n2, k), b.block(n1, 0, n2, k), adjoint, c.block(n1, n1, n2, n2));
}

}  // namespace

template <class T>
void update_general(DenseView<const T> a, DenseView<const T> b, DenseView<T> c) {
    if (left_to_library(a, c.cols))
        blas::gemm<T>(Op::none, Op::none, T(-1), a, b, T(1), c);
    else
        simd::kernels<T>().update_general(c.rows, c.cols, a.cols, a.data, a.ld, b.data, b.ld, false, c.data, c.ld);
}

template <class T>
void update_transposed(DenseView<const T> a, DenseView<const T> b, bool adjoint, DenseView<T> c) {
    if (left_to_library(a, c.cols))
        blas::gemm<T>(Op::none, adjoint ? Op::adjoint : Op::transpose, T(-1), a, b, T(1), c);
    else
        simd::kernels<T>().update_transposed(c.rows, c.cols, a.cols, a.data, a.ld, b.data, b.ld, adjoint, c.data, c.ld);
}

template <class T>
void update_lower(DenseView<const T> a, DenseView<const T> b, bool adjoint, DenseView<T> c) {
    update_lower_by_halves(a, b, adjoint, c);
}

#define FROND_INSTANTIATE(T)                                                                        \
    template void update_general<T>(DenseView<const T>, DenseView<const T>, DenseView<T>);          \
    template void update_transposed<T>(DenseView<const T>, DenseView<const T>, bool, DenseView<T>); \
    template void update_lower<T>(DenseView<const T>, DenseView<const T>, bool, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
