// SPDX-License-Identifier: BSD-3-Clause
// The update of a step in double precision, real or complex, by the matrix units of a device. While products are made,
// the target is on its way to the device's cache.
#pragma once

#include "check.hpp"
#include "kernels/launch.hpp"
#include "matrix_unit_operands.hpp"

namespace frond::gpu {

/// Target less the sums. Entries are loaded together, half of them at a time: one after the other, each would be waited
/// for. Subtracted after the sums, as sums on top of them would be rounded to their size.
template <class S>
__device__ void subtract_sums(const MatrixUnitTarget<S>& to, const MatrixUnitSums& sums) {
#pragma unroll
    for (index_t p = 0; p < 2; ++p) {
        const auto row_of = [&](index_t e) { return to.row + sums.row_of(p, e); };
        const auto column_of = [&](index_t q, index_t e) { return to.column + sums.column_of(q, e); };
        double value[4][4];
#pragma unroll
        for (index_t q = 0; q < 4; ++q)
#pragma unroll
            for (index_t e = 0; e < 4; ++e)
                if (row_of(e) < to.row_end && column_of(q, e) < to.column_end)
                    value[q][e] = to.data[row_of(e) + column_of(q, e) * to.ld];
#pragma unroll
        for (index_t q = 0; q < 4; ++q)
#pragma unroll
            for (index_t e = 0; e < 4; ++e)
                if (row_of(e) < to.row_end && column_of(q, e) < to.column_end)
                    to.data[row_of(e) + column_of(q, e) * to.ld] = value[q][e] - sums.sum[p][q][e];
    }
}

/// Target less its product of columns and rows [first, last).
template <class S, bool in_pairs>
__device__ void multiply_with_matrix_units(const MatrixUnitTarget<S>& to, index_t first, index_t last) {
    const MatrixUnitLoads<S, in_pairs> loads{to, last, reinterpret_cast<MatrixUnitOperands<S>*>(asked_shared_memory())};
    const index_t warp = static_cast<index_t>(threadIdx.x) / 32;
    MatrixUnitSums sums{warp % 2 * 32, warp / 2 * 32, static_cast<index_t>(threadIdx.x) % 32};
    add_products(loads, sums, first, last, [&] { to.prefetch(); });
    subtract_sums(to, sums);
}

template <class S>
__global__ void __launch_bounds__(MatrixUnitOperands<S>::threads, 384 / MatrixUnitOperands<S>::threads)
    update_with_matrix_units(StepArguments<S> a) {
    const FrontStep step = a.steps[find_step(a.steps, a.count, blockIdx.x, &FrontStep::first_update)];
    const DenseFront<S> f = a.fronts[step.front];
    const auto block = static_cast<index_t>(blockIdx.x - step.first_update);
    const MatrixUnitTarget<S> to(f, update_target(step, f, a.kind == Factorization::lu, block, update_tile<S>));
    if (to.has_pairs(step.first_factor))
        multiply_with_matrix_units<S, true>(to, step.first_factor, step.end());
    else
        multiply_with_matrix_units<S, false>(to, step.first_factor, step.end());
}

template <class S>
void launch_update_with_matrix_units(Stream stream, const StepArguments<S>& a, unsigned blocks) {
    constexpr std::size_t bytes = MatrixUnitOperands<S>::bytes();
    check(FROND_GPU(FuncSetAttribute)(reinterpret_cast<const void*>(&update_with_matrix_units<S>),
                                      FROND_GPU(FuncAttributeMaxDynamicSharedMemorySize), static_cast<int>(bytes)),
          "asking for shared memory");
    launch<S, update_with_matrix_units<S>>(stream, {blocks, MatrixUnitOperands<S>::threads, bytes}, a);
}

}  // namespace frond::gpu
