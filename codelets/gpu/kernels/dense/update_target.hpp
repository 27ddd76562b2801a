// SPDX-License-Identifier: BSD-3-Clause
// Which tile of a front a block of threads updates.
#pragma once

#include "step_kernels.hpp"

namespace frond::gpu {

/// Tile number `block` of a triangle, by rows: tile (row, column), column <= row.
FROND_DEVICE void triangle_tile(index_t block, index_t& row, index_t& column) {
    row = static_cast<index_t>((sqrt(8.0 * block + 1) - 1) / 2);
    while (row * (row + 1) / 2 > block) --row;
    while ((row + 1) * (row + 2) / 2 <= block) ++row;
    column = block - row * (row + 1) / 2;
}

/// Rows [row, row_end) and columns [column, column_end) of the front, at most a tile of each.
struct UpdateTarget {
    index_t row, row_end, column, column_end;
};

/// The target of one block of threads.
template <class S>
__device__ UpdateTarget update_target(const FrontStep& step, const DenseFront<S>& f, bool general, index_t block,
                                      index_t tile) {
    const index_t first = step.end(), last = step.last_target;
    const index_t order = f.order, rows = (order - first + tile - 1) / tile;
    const index_t columns = (last - first + tile - 1) / tile;
    index_t tile_row = block % rows, tile_column = block / rows;
    if (general && tile_column >= columns) {  // rows of the block, next to it
        const index_t beside = block - rows * columns;
        return {first + beside % columns * tile, last, last + beside / columns * tile, f.columns()};
    }
    if (!general && columns == rows)
        triangle_tile(block, tile_row, tile_column);
    else if (!general)
        for (tile_row = block, tile_column = 0;;) {
            if (tile_row < rows - tile_column) {
                tile_row += tile_column;
                break;
            }
            tile_row -= rows - tile_column++;
        }
    return {first + tile_row * tile, order, first + tile_column * tile, last};
}

}  // namespace frond::gpu
