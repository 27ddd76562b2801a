// SPDX-License-Identifier: BSD-3-Clause
#include "blas.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/substitution/segments.hpp"
#include "segments.hpp"
#include "worker/copies.hpp"

namespace frond::gpu {

template <class T>
void multiply_segments(void* buffers[], void* raw) noexcept {
    run_task<MultiplyArguments>(raw, [&](const MultiplyArguments& a) {
        const DrainAtExit drained;
        const BlasHandle blas = worker_context().blas;
        T* next = vector_buffer<T>(buffers, 0);
        const auto source = as_const(matrix_buffer<T>(buffers, 1));
        for (index_t n = 0; n < a.tiles; ++n) {
            const auto tile = as_const(matrix_buffer<T>(buffers, 2 + n));
            negated_product_of(blas, form_of(a.operation), tile, source,
                               take_product(next, tile, a.operation, source.cols));
        }
        drain();
    });
}

template <class T>
void add_products(void* buffers[], void* raw) noexcept {
    run_task<AddProductsArguments>(raw, [&](const AddProductsArguments& a) {
        const DrainAtExit drained;
        const Stream stream = task_stream();
        for_each_product<T>(buffers, a.segments, [&](DenseView<const T> product, DenseView<T> segment) {
            add_block(stream, product, segment);
        });
        drain();
    });
}

template <class T>
void update_segments(void* buffers[], void* raw) noexcept {
    run_task<UpdateSegmentsArguments>(raw, [&](const UpdateSegmentsArguments& a) {
        const DrainAtExit drained;
        const BlasHandle blas = worker_context().blas;
        for (const SegmentProduct& p : *a.products)
            subtract_product_of(blas, form_of(p.operation), as_const(matrix_buffer<T>(buffers, p.tile)),
                                as_const(matrix_buffer<T>(buffers, p.source)), matrix_buffer<T>(buffers, p.target));
        drain();
    });
}

#define FROND_INSTANTIATE(T)                                     \
    template void multiply_segments<T>(void*[], void*) noexcept; \
    template void add_products<T>(void*[], void*) noexcept;      \
    template void update_segments<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
