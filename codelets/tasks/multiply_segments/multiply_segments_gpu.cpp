// SPDX-License-Identifier: BSD-3-Clause
#include "multiply_segments.hpp"

#include "blas.hpp"
#include "frond/base/instantiate.hpp"
#include "worker/drain.hpp"

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

#define FROND_INSTANTIATE(T) template void multiply_segments<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
