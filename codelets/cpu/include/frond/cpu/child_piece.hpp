// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"

namespace frond {

/// Part of a child's contribution that falls into one tile of its parent.
/// child(r, c) for r in [row_begin, row_end), c in [column_begin, column_end) (numbers in the child's
/// contribution block) goes to parent rows relative_rows[r]. The buffer holds the child's rows from
/// buffer_row and columns from buffer_column on.
struct ChildPiece {
    const index_t* relative_rows = nullptr;
    index_t row_begin = 0, row_end = 0;
    index_t column_begin = 0, column_end = 0;
    index_t buffer_row = 0, buffer_column = 0;
};

namespace cpu {

/// tile(relative[r] - first_row, relative[c] - first_column) += child(r, c) for all r, c of the piece;
/// lower: of r >= c.
template <class T>
void extend_add_piece(const ChildPiece& piece, DenseView<const T> child, index_t first_row, index_t first_column,
                      bool lower, DenseView<T> tile);

}  // namespace cpu
}  // namespace frond
