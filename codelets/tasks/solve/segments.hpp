// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/task.hpp"

#include <vector>

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

/// add_products: R vector of multiply_segments, RW segments...
/// segment := segment + its part of the vector
struct AddProductsArguments : TaskArguments {
    index_t segments = 0;
};
/// place: any is that of cores; device that of devices alone, for segments that change there.
template <class T>
starpu_codelet& add_products_codelet(Place place = Place::any);

namespace gpu {
template <class T>
void add_products(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

/// add(part of the vector, segment) for each of them.
template <class T, class Add>
void for_each_product(void* buffers[], index_t segments, const Add& add) {
    const T* next = vector_buffer<T>(buffers, 0);
    for (index_t n = 0; n < segments; ++n) {
        const auto segment = matrix_buffer<T>(buffers, 1 + n);
        add(DenseView<const T>{next, segment.rows, segment.cols, segment.rows}, segment);
        next += static_cast<count_t>(segment.rows) * segment.cols;
    }
}

/// update_segments: products of tiles with segments; buffers as the list says
///   buffer[target] := buffer[target] + (-op(buffer[tile]) buffer[source])
/// On cores each product is made by itself, as ranks make it that add to a segment of another one.
struct SegmentProduct {
    index_t target = 0, tile = 0, source = 0;
    Operation operation = Operation::none;
};
struct UpdateSegmentsArguments : TaskArguments {
    const std::vector<SegmentProduct>* products = nullptr;
};
/// place: any is that of cores; device that of devices alone, for tiles that lie there.
template <class T>
starpu_codelet& update_segments_codelet(Place place = Place::any);

namespace gpu {
template <class T>
void update_segments(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

}  // namespace frond
