// SPDX-License-Identifier: BSD-3-Clause
#include "update_tile.hpp"

#include "blas.hpp"
#include "frond/base/instantiate.hpp"
#include "worker/copies.hpp"

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
        const auto [left, right, target, second_pass] = UpdateBuffers<T>(a, buffers);
        const BlasHandle blas = worker_context().blas;
        if (a.shape == UpdateShape::general)
            subtract_product(blas, left, Form::plain, right, target);
        else if (a.shape == UpdateShape::transposed)
            subtract_product(blas, left, a.adjoint ? Form::adjoint : Form::transposed, right, target);
        else
            subtract_product_lower(blas, a.adjoint, left, right, target);
        if (second_pass != nullptr) apply_second_pass<T>(a, *second_pass, target);
    });
}

#define FROND_INSTANTIATE(T) template void update_tile<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
