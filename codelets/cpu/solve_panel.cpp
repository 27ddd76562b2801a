// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "blas/blas.hpp"
#include "divide_by_pivots.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"

namespace frond::cpu {

using blas::Diagonal;
using blas::Op;
using blas::Side;
using blas::Uplo;

template <class T>
void solve_panel_llt(DenseView<const T> l11, DenseView<T> a21) {
    blas::trsm<T>(Side::right, Uplo::lower, Op::adjoint, Diagonal::stored, l11, a21);
}

template <class T>
void solve_panel_ldlt(DenseView<const T> l11, bool hermitian, const T* pivots, const index_t* perm,
                      DenseView<T> a21, DenseView<T> l21_d) {
    const index_t m = a21.rows, n = a21.cols;
    for (index_t k = 0; k < n; ++k) std::copy_n(a21.column(perm[k]), m, l21_d.column(k));
    blas::trsm<T>(Side::right, Uplo::lower, hermitian ? Op::adjoint : Op::transpose,
                  Diagonal::unit, l11, l21_d);
    divide_columns_by_pivots<T>(pivots, hermitian, l21_d, a21);
}

template <class T>
void solve_panel_lu_lower(DenseView<const T> lu11, DenseView<T> a21) {
    blas::trsm<T>(Side::right, Uplo::upper, Op::none, Diagonal::stored, lu11, a21);
}

template <class T>
void solve_panel_lu_upper(DenseView<const T> lu11, const index_t* perm, DenseView<T> a12,
                          T* workspace) {
    const index_t n = a12.rows;
    for (index_t j = 0; j < a12.cols; ++j) {
        T* column = a12.column(j);
        std::copy_n(column, n, workspace);
        for (index_t k = 0; k < n; ++k) column[k] = workspace[perm[k]];
    }
    blas::trsm<T>(Side::left, Uplo::lower, Op::none, Diagonal::unit, lu11, a12);
}

count_t solve_panel_lu_upper_workspace(index_t n, index_t) { return n; }

#define FROND_INSTANTIATE(T)                                                                       \
    template void solve_panel_llt<T>(DenseView<const T>, DenseView<T>);                            \
    template void solve_panel_ldlt<T>(DenseView<const T>, bool, const T*, const index_t*,          \
                                      DenseView<T>, DenseView<T>);                                 \
    template void solve_panel_lu_lower<T>(DenseView<const T>, DenseView<T>);                       \
    template void solve_panel_lu_upper<T>(DenseView<const T>, const index_t*, DenseView<T>, T*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
