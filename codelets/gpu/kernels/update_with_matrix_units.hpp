// SPDX-License-Identifier: BSD-3-Clause
// The update of a step in double precision, real or complex, by the matrix units of a device: each warp a part of 32 x
// 32 numbers of a tile; operands of later columns are on their way while products are made, and so is the target on its
// way to the device's cache. matrix_units.hpp of the vendor says what a lane holds of an operand.
#pragma once

#include "check.hpp"
#include "launch.hpp"
#include "matrix_unit_operands.hpp"

namespace frond::gpu {

/// The part of a warp: sum[p][q] is the product at rows 16 p, columns 8 q of it.
template <class S>
struct MatrixUnitSums {
    using Operands = MatrixUnitOperands<S>;
    index_t row, column, lane;
    double sum[2][4][4] = {};

    /// Four columns of the left operand, four rows of the right.
    struct Factors {
        double a[2][2], b[4];
    };

    __device__ Factors factors(const Operands& operands, index_t k) const {
        const index_t along = lane / 4, own_k = k + lane % 4;
        const double* const right = operands.right + own_k + (column + along) * Operands::right_stride;
        Factors x;
#pragma unroll
        for (index_t p = 0; p < 2; ++p)
#pragma unroll
            for (index_t e = 0; e < 2; ++e) x.a[p][e] = left(operands, row + 16 * p + 8 * e + along, own_k);
#pragma unroll
        for (index_t q = 0; q < 4; ++q) x.b[q] = right[8 * q * Operands::right_stride];
        return x;
    }

    /// Complex: columns 2 k and 2 k + 1 are (re, im) and (-im, re) of column k in memory.
    __device__ static double left(const Operands& operands, index_t i, index_t k) {
        if constexpr (Operands::numbers == 1) {
            return operands.left[i + k * Operands::left_stride];
        } else {
            const index_t part = (i ^ k) & 1;
            const double value = operands.left[i / 2 * 2 + part + k / 2 * Operands::left_stride];
            return part > (i & 1) ? -value : value;
        }
    }

    __device__ void add_product(const Factors& x) {
#pragma unroll
        for (index_t p = 0; p < 2; ++p)
#pragma unroll
            for (index_t q = 0; q < 4; ++q) add_product_16x8x4(sum[p][q], x.a[p], x.b[q]);
    }

    /// Entries of the target are loaded together, half of them at a time: one after the other, each would be waited
    /// for. Subtracted after the sums, as sums on top of them would be rounded to their size.
    __device__ void subtract_from(const MatrixUnitTarget<S>& to) const {
#pragma unroll
        for (index_t p = 0; p < 2; ++p) {
            const auto row_of = [&](index_t e) { return to.row + row + 16 * p + lane / 4 + (e / 2) * 8; };
            const auto column_of = [&](index_t q, index_t e) { return to.column + column + 8 * q + 2 * (lane % 4) + e % 2; };
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
                        to.data[row_of(e) + column_of(q, e) * to.ld] = value[q][e] - sum[p][q][e];
        }
    }
};

/// Target less its product of columns and rows [first, last).
template <class S, bool in_pairs>
__device__ void multiply_with_matrix_units(const MatrixUnitTarget<S>& to, index_t first, index_t last) {
    using Operands = MatrixUnitOperands<S>;
    constexpr index_t stages = Operands::stages, columns = Operands::left_columns, parts = Operands::depth / 4;
    Operands* const operands = reinterpret_cast<Operands*>(asked_shared_memory());
    const MatrixUnitLoads<S, in_pairs> loads{to, last};
#pragma unroll
    for (index_t s = 0; s < stages - 1; ++s) {
        if (first + s * columns < last) loads.load(operands[s], first + s * columns);
        commit_copies();
    }
    to.prefetch();
    const index_t warp = static_cast<index_t>(threadIdx.x) / 32;
    MatrixUnitSums<S> sums{warp % 2 * 32, warp / 2 * 32, static_cast<index_t>(threadIdx.x) % 32};
    wait_for_copies<stages - 2>();
    __syncthreads();
    auto now = sums.factors(operands[0], 0);
    for (index_t stage = 0; first < last; first += columns) {
        const index_t next = stage + 1 == stages ? 0 : stage + 1, free = stage == 0 ? stages - 1 : stage - 1;
#pragma unroll
        for (index_t part = 0; part < parts; ++part) {
            if (part == parts - 1) {
                wait_for_copies<stages - 2>();
                __syncthreads();
            }
            const auto later = part == parts - 1 ? sums.factors(operands[next], 0)
                                                 : sums.factors(operands[stage], 4 * (part + 1));
            if (part == 0) {
                const index_t ahead = first + (stages - 1) * columns;
                if (ahead < last) loads.load(operands[free], ahead);
                commit_copies();
            }
            sums.add_product(now);
            now = later;
        }
        stage = next;
    }
    sums.subtract_from(to);
}

template <class S>
__global__ void __launch_bounds__(MatrixUnitOperands<S>::threads, 384 / MatrixUnitOperands<S>::threads)
update_with_matrix_units(StepArguments<S> a) {
    const FrontStep step = a.steps[find_step(a.steps, a.count, blockIdx.x, &FrontStep::first_update)];
    const SquareFront<S> f = a.fronts[step.front];
    const auto block = static_cast<index_t>(blockIdx.x - step.first_update);
    const MatrixUnitTarget<S> to(f, update_target(step, f.order, a.kind == Factorization::lu, block, update_tile<S>));
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
    launch(stream, {blocks, MatrixUnitOperands<S>::threads, bytes}, update_with_matrix_units<S>, a);
}

}  // namespace frond::gpu
