// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "blas/blas.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/products_apart.hpp"
#include "simd/kernel_table.hpp"

namespace frond::cpu {

template <class T>
void subtract_product(DenseView<const T> a, Operation op, DenseView<const T> x, DenseView<T> y) {
    if (a.empty() || x.cols == 0) return;
    const auto& kernels = simd::kernels<T>();
    const bool adjoint = op == Operation::adjoint;
    if (op == Operation::none && x.cols == 1)
        kernels.subtract_product(a.rows, a.cols, a.data, a.ld, x.data, y.data);
    else if (op == Operation::none)
        update_general<T>(a, x, y);
    else if (x.cols == 1)
        kernels.subtract_transposed_product(a.rows, a.cols, a.data, a.ld, adjoint, x.data, y.data);
    else
        blas::gemm<T>(adjoint ? blas::Op::adjoint : blas::Op::transpose, blas::Op::none, T(-1), a, x, T(1), y);
}

template <class T>
void negated_product(DenseView<const T> a, Operation op, DenseView<const T> x, DenseView<T> y) {
    for (index_t j = 0; j < y.cols; ++j) std::fill_n(y.column(j), y.rows, T(0));
    subtract_product(a, op, x, y);
}

template <class T>
void add_to(DenseView<const T> x, DenseView<T> y) {
    for (index_t j = 0; j < y.cols; ++j) {
        const T* const from = x.column(j);
        T* const to = y.column(j);
        for (index_t i = 0; i < y.rows; ++i) to[i] += from[i];
    }
}

#define FROND_INSTANTIATE(T)                                                                            \
    template void subtract_product<T>(DenseView<const T>, Operation, DenseView<const T>, DenseView<T>); \
    template void negated_product<T>(DenseView<const T>, Operation, DenseView<const T>, DenseView<T>);  \
    template void add_to<T>(DenseView<const T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
