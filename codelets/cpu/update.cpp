// SPDX-License-Identifier: BSD-3-Clause
#include "blas/blas.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"

namespace frond::cpu {

using blas::Op;

template <class T>
void update_general(DenseView<const T> a, DenseView<const T> b, DenseView<T> c) {
    blas::gemm<T>(Op::none, Op::none, T(-1), a, b, T(1), c);
}

template <class T>
void update_transposed(DenseView<const T> a, DenseView<const T> b, bool adjoint, DenseView<T> c) {
    blas::gemm<T>(Op::none, adjoint ? Op::adjoint : Op::transpose, T(-1), a, b, T(1), c);
}

template <class T>
void update_lower(DenseView<const T> a, DenseView<const T> b, bool adjoint, DenseView<T> c) {
    const index_t n = c.cols, k = a.cols;
    if (n == 1) {
        update_transposed<T>(a, b, adjoint, c);
        return;
    }
    if (n == 0) return;
    const index_t n1 = n / 2, n2 = n - n1;
    update_lower<T>(a.block(0, 0, n1, k), b.block(0, 0, n1, k), adjoint, c.block(0, 0, n1, n1));
    update_transposed<T>(a.block(n1, 0, n2, k), b.block(0, 0, n1, k), adjoint,
                         c.block(n1, 0, n2, n1));
    update_lower<T>(a.block(n1, 0, n2, k), b.block(n1, 0, n2, k), adjoint,
                    c.block(n1, n1, n2, n2));
}

#define FROND_INSTANTIATE(T)                                                                       \
    template void update_general<T>(DenseView<const T>, DenseView<const T>, DenseView<T>);         \
    template void update_transposed<T>(DenseView<const T>, DenseView<const T>, bool,               \
                                       DenseView<T>);                                              \
    template void update_lower<T>(DenseView<const T>, DenseView<const T>, bool, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
