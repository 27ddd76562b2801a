// SPDX-License-Identifier: BSD-3-Clause
#include "blas.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "simd/kernel_table.hpp"

#include <algorithm>

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

template <class T>
void extend_add_lower(DenseView<const T> child, const index_t* rows, DenseView<T> panel, DenseView<T> contribution) {
    simd::kernels<T>().extend_add_lower(child.cols, child.data, child.ld, rows, panel.cols, panel.data, panel.ld,
                                        contribution.data, contribution.ld);
}

template <class T>
void extend_add_full(DenseView<const T> child, const index_t* rows, DenseView<T> panel, DenseView<T> upper,
                     DenseView<T> contribution) {
    simd::kernels<T>().extend_add_full(child.cols, child.data, child.ld, rows, panel.cols, panel.data, panel.ld,
                                       upper.data, upper.ld, contribution.data, contribution.ld);
}

template <class T>
void extend_add_piece(const ChildPiece& piece, DenseView<const T> child, index_t first_row, index_t first_column,
                      bool lower, DenseView<T> tile) {
    const index_t* rows = piece.relative_rows;
    for (index_t c = piece.column_begin; c < piece.column_end; ++c) {
        const index_t first = lower ? std::max(piece.row_begin, c) : piece.row_begin;
        if (first >= piece.row_end) continue;
        const T* from = child.column(c - piece.buffer_column) - piece.buffer_row;
        T* to = tile.column(rows[c] - first_column) - first_row;
        const bool run = rows[piece.row_end - 1] - rows[first] == piece.row_end - 1 - first;
        if (run) {
            T* start = to + rows[first];
            for (index_t r = first; r < piece.row_end; ++r) start[r - first] += from[r];
        } else {
            for (index_t r = first; r < piece.row_end; ++r) to[rows[r]] += from[r];
        }
    }
}

#define FROND_INSTANTIATE(T)                                                                                        \
    template void subtract_product<T>(DenseView<const T>, Operation, DenseView<const T>, DenseView<T>);             \
    template void negated_product<T>(DenseView<const T>, Operation, DenseView<const T>, DenseView<T>);              \
    template void add_to<T>(DenseView<const T>, DenseView<T>);                                                      \
    template void update_general<T>(DenseView<const T>, DenseView<const T>, DenseView<T>);                          \
    template void update_transposed<T>(DenseView<const T>, DenseView<const T>, bool, DenseView<T>);                 \
    template void update_lower<T>(DenseView<const T>, DenseView<const T>, bool, DenseView<T>);                      \
    template void extend_add_piece<T>(const ChildPiece&, DenseView<const T>, index_t, index_t, bool, DenseView<T>); \
    template void extend_add_lower<T>(DenseView<const T>, const index_t*, DenseView<T>, DenseView<T>);              \
    template void extend_add_full<T>(DenseView<const T>, const index_t*, DenseView<T>, DenseView<T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
