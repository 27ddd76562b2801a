// SPDX-License-Identifier: BSD-3-Clause
#include "blas.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/factor_tasks.hpp"
#include "frond/gpu/tile_tasks.hpp"

namespace frond::gpu {

template <class T>
void update_tile(void* buffers[], void* raw) noexcept {
    run_task<UpdateArguments>(raw, [&](const UpdateArguments& a) {
        const auto left = as_const(matrix_buffer<T>(buffers, 0));
        auto right = a.same ? left : as_const(matrix_buffer<T>(buffers, 1));
        // Ring tiles of LDL^T are as wide as the widest panel.
        if (a.shape != UpdateShape::general) right.cols = left.cols;
        const auto target = matrix_buffer<T>(buffers, a.same ? 1 : 2);
        const BlasHandle blas = worker_context().blas;
        if (a.shape == UpdateShape::general)
            subtract_product(blas, left, Form::plain, right, target);
        else if (a.shape == UpdateShape::transposed)
            subtract_product(blas, left, a.adjoint ? Form::adjoint : Form::transposed, right, target);
        else
            subtract_product_lower(blas, a.adjoint, left, right, target);
    });
}

#define FROND_INSTANTIATE(T) template void update_tile<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
