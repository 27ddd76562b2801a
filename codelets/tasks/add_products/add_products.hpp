// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/task.hpp"

namespace frond {

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

}  // namespace frond
