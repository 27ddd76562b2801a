// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/cpu/child_piece.hpp"
#include "frond/cpu/kernels.hpp"
#include "simd/kernel_table.hpp"

#include <algorithm>

namespace frond::cpu {

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
    template void extend_add_piece<T>(const ChildPiece&, DenseView<const T>, index_t, index_t, bool, DenseView<T>); \
    template void extend_add_lower<T>(DenseView<const T>, const index_t*, DenseView<T>, DenseView<T>);              \
    template void extend_add_full<T>(DenseView<const T>, const index_t*, DenseView<T>, DenseView<T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
