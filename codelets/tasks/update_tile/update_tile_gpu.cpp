// SPDX-License-Identifier: BSD-3-Clause
#include "update_tile.hpp"

#include "blas.hpp"
#include "frond/base/instantiate.hpp"
#include "worker/drain.hpp"
#include "worker/mirror.hpp"

namespace frond::gpu {
namespace {

/// Its factors are on the host, and so few that the tile goes there and back.
template <class T>
void apply_second_pass(UpdateArguments& a, const cpu::SecondPass<T>& second_pass, DenseView<T> target) {
    if (second_pass.kept == 0) return;
    const DrainAtExit drained;
    Mirror<T> tile(target);
    drain();
    update_by_second_pass<T>(a, second_pass, tile.host());
    tile.send_back();
    drain();
}

}  // namespace

template <class T>
void update_tile(void* buffers[], void* raw) noexcept {
    run_task<UpdateArguments>(raw, [&](UpdateArguments& a) {
        const auto left = as_const(matrix_buffer<T>(buffers, 0));
        auto right = a.same ? left : as_const(matrix_buffer<T>(buffers, 1));
        // Tiles of the panel backup of LDL^T are as wide as the widest panel.
        if (a.shape != UpdateShape::general) right.cols = left.cols;
        const int target_at = a.same ? 1 : 2;
        const auto target = matrix_buffer<T>(buffers, target_at);
        const BlasHandle blas = worker_context().blas;
        if (a.shape == UpdateShape::general)
            subtract_product(blas, left, Form::plain, right, target);
        else if (a.shape == UpdateShape::transposed)
            subtract_product(blas, left, a.adjoint ? Form::adjoint : Form::transposed, right, target);
        else
            subtract_product_lower(blas, a.adjoint, left, right, target);
        if (a.second_pass)
            apply_second_pass<T>(a, object_buffer<const cpu::SecondPass<T>>(buffers, target_at + 1), target);
    });
}

#define FROND_INSTANTIATE(T) template void update_tile<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
