// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/task.hpp"

namespace frond {

/// multiply_segments: W vector, R source segment, R tiles...
/// The vector has -op(tile) source of each tile, one [rows, cols of the source] after the other. For a rank that adds it to
/// segments of its own: see add_products.
struct MultiplyArguments : TaskArguments {
    Operation operation = Operation::none;
    index_t tiles = 0;
};
/// place: any is that of cores; device that of devices alone, for tiles that lie there.
template <class T>
starpu_codelet& multiply_segments_codelet(Place place = Place::any);

namespace gpu {
template <class T>
void multiply_segments(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

/// Block `next` of the vector, for op(tile) times `cols` columns, which moves `next` behind it.
template <class T>
DenseView<T> take_product(T*& next, DenseView<const T> tile, Operation operation, index_t cols) {
    const index_t rows = operation == Operation::none ? tile.rows : tile.cols;
    const DenseView<T> product{next, rows, cols, rows};
    next += static_cast<count_t>(rows) * cols;
    return product;
}

}  // namespace frond
