// SPDX-License-Identifier: BSD-3-Clause
#include "update_segments.hpp"

#include "blas.hpp"
#include "frond/base/instantiate.hpp"
#include "worker/drain.hpp"

namespace frond::gpu {

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

#define FROND_INSTANTIATE(T) template void update_segments<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
