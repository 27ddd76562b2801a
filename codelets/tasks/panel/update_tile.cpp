// SPDX-License-Identifier: BSD-3-Clause
#include "update_tile.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "frond/codelets/task_kind.hpp"
#include "frond/cpu/kernels.hpp"

namespace frond {
namespace {

template <class T>
void update_tile_cpu(void* buffers[], void* raw) noexcept {
    run_task<UpdateArguments>(raw, [&](UpdateArguments& a) {
        const auto [left, right, target, second_pass] = UpdateBuffers<T>(a, buffers);
        if (a.shape == UpdateShape::general)
            cpu::update_general(left, right, target);
        else if (a.shape == UpdateShape::transposed)
            cpu::update_transposed(left, right, a.adjoint, target);
        else
            cpu::update_lower(left, right, a.adjoint, target);
        if (second_pass != nullptr) update_by_second_pass<T>(a, *second_pass, target);
    });
}

}  // namespace

template <class T>
void update_by_second_pass(UpdateArguments& a, const cpu::SecondPass<T>& second_pass, DenseView<T> target) {
    if (second_pass.kept == 0) return;
    cpu::update_contribution(a.kind, second_pass, a.first_row, a.first_column, a.shape == UpdateShape::lower, target,
                             a.account);
    a.flops += update_flops(target.rows, target.cols, second_pass.kept) * flops_per_real<T>;
    a.work.flops = a.flops;
}

FROND_DEFINE_CODELETS(update_tile_codelet, "update_tile", 0x2A9D8F, TaskModel::Work::flops, relative_speed<T>,
                      update_tile_cpu<T>, gpu::update_tile<T>, DeviceRun::asynchronous)

#define FROND_INSTANTIATE(T) \
    template void update_by_second_pass<T>(UpdateArguments&, const cpu::SecondPass<T>&, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
