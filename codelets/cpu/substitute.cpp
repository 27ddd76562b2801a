// SPDX-License-Identifier: BSD-3-Clause
#include "blas.hpp"
#include "scalar.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "permute_rows.hpp"
#include "simd/kernel_table.hpp"
#include "block_steps.hpp"

#include <algorithm>

namespace frond::cpu {

using blas::Diagonal;
using blas::Op;
using blas::Side;
using blas::Uplo;

namespace {

template <class T>
DenseView<T> diagonal_part(DenseView<T> panel) {
    return panel.block(0, 0, panel.cols, panel.cols);
}

template <class T>
DenseView<T> below_part(DenseView<T> panel) {
    return panel.block(panel.cols, 0, panel.rows - panel.cols, panel.cols);
}

Op mirrored(Factorization kind) { return kind == Factorization::ldlt ? Op::transpose : Op::adjoint; }

/// Few columns, or a panel too small for a call of the library: columns one by one, each at the
/// bandwidth of the panel. Otherwise products of matrices read the panel once for all columns.
template <class T>
bool one_by_one(DenseView<const T> panel, DenseView<T> x) {
    constexpr count_t few_bytes = 1024;
    return x.cols <= 2 || static_cast<count_t>(panel.rows) * panel.cols * static_cast<count_t>(sizeof(T)) <= few_bytes;
}

/// x := L11^-T (x - L21^T y), or conjugated.
template <class T>
void backward_lower(DenseView<const T> panel, bool unit, Op op, DenseView<const T> y, DenseView<T> x) {
    if (one_by_one(panel, x)) {
        for (index_t j = 0; j < x.cols; ++j)
            simd::kernels<T>().backward_lower(x.rows, y.rows, panel.data, panel.ld, unit, op == Op::adjoint,
                                              y.column(j), x.column(j));
        return;
    }
    blas::gemm<T>(op, Op::none, T(-1), below_part(panel), y, T(1), x);
    blas::trsm<T>(Side::left, Uplo::lower, op, unit ? Diagonal::unit : Diagonal::stored, diagonal_part(panel), x);
}

}  // namespace

template <class T>
void forward_front(Factorization kind, DenseView<const T> panel, const index_t* perm, DenseView<T> x, DenseView<T> y) {
    const bool llt = kind == Factorization::llt;
    if (!llt) gather_rows(perm, x);
    if (one_by_one(panel, x)) {
        for (index_t j = 0; j < x.cols; ++j)
            simd::kernels<T>().forward_lower(x.rows, y.rows, panel.data, panel.ld, !llt, x.column(j), y.column(j));
        return;
    }
    solve_left_lower(diagonal_part(panel), !llt, x);
    update_general<T>(below_part(panel), x, y);
}

template <class T>
void diagonal_front(Factorization kind, const T* pivots, DenseView<T> x) {
    if (kind != Factorization::ldlt && kind != Factorization::ldlh) return;
    for (index_t k = 0; k < x.rows; ++k) {
        const T e = pivots[2 * k + 1];
        if (e == T(0)) {
            for (index_t j = 0; j < x.cols; ++j) x(k, j) /= pivots[2 * k];
            continue;
        }
        const TwoByTwoInverse<T> inverse(pivots[2 * k], e, pivots[2 * k + 2], kind == Factorization::ldlh);
        for (index_t j = 0; j < x.cols; ++j) {
            const T x1 = x(k, j), x2 = x(k + 1, j);
            x(k, j) = multiply(inverse.a11, x1) + multiply(inverse.a12, x2);
            x(k + 1, j) = multiply(inverse.a21, x1) + multiply(inverse.a22, x2);
        }
        ++k;
    }
}

template <class T>
void backward_front(Factorization kind, DenseView<const T> panel, DenseView<const T> upper, const index_t* perm,
                    DenseView<const T> y, DenseView<T> x) {
    if (kind != Factorization::lu) {
        const bool llt = kind == Factorization::llt;
        backward_lower(panel, !llt, mirrored(kind), y, x);
        if (!llt) scatter_rows(perm, x);
    } else if (one_by_one(panel, x)) {
        for (index_t j = 0; j < x.cols; ++j)
            simd::kernels<T>().backward_upper(x.rows, y.rows, panel.data, panel.ld, upper.data, upper.ld, y.column(j),
                                              x.column(j));
    } else {
        update_general<T>(upper, y, x);
        blas::trsm<T>(Side::left, Uplo::upper, Op::none, Diagonal::stored, diagonal_part(panel), x);
    }
}

template <class T>
void forward_front_transposed(DenseView<const T> panel, DenseView<const T> upper, bool adjoint, DenseView<T> x,
                              DenseView<T> y) {
    if (one_by_one(panel, x)) {
        for (index_t j = 0; j < x.cols; ++j)
            simd::kernels<T>().forward_upper(x.rows, y.rows, panel.data, panel.ld, upper.data, upper.ld, adjoint,
                                             x.column(j), y.column(j));
        return;
    }
    const Op op = adjoint ? Op::adjoint : Op::transpose;
    blas::trsm<T>(Side::left, Uplo::upper, op, Diagonal::stored, diagonal_part(panel), x);
    blas::gemm<T>(op, Op::none, T(-1), upper, x, T(1), y);
}

template <class T>
void backward_front_transposed(DenseView<const T> panel, const index_t* perm, bool adjoint, DenseView<const T> y,
                               DenseView<T> x) {
    backward_lower(panel, true, adjoint ? Op::adjoint : Op::transpose, y, x);
    scatter_rows(perm, x);
}

#define FROND_INSTANTIATE(T)                                                                                       \
    template void forward_front<T>(Factorization, DenseView<const T>, const index_t*, DenseView<T>, DenseView<T>); \
    template void diagonal_front<T>(Factorization, const T*, DenseView<T>);                                        \
    template void backward_front<T>(Factorization, DenseView<const T>, DenseView<const T>, const index_t*,         \
                                    DenseView<const T>, DenseView<T>);                                             \
    template void forward_front_transposed<T>(DenseView<const T>, DenseView<const T>, bool, DenseView<T>,          \
                                              DenseView<T>);                                                       \
    template void backward_front_transposed<T>(DenseView<const T>, const index_t*, bool, DenseView<const T>,       \
                                               DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
