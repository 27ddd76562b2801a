// SPDX-License-Identifier: BSD-3-Clause
// The update of a step in double precision by the matrix units of a device: a block of four warps a tile of
// 64 x 64, each a quarter; operands of the next columns are on their way while products are made. matrix_units.hpp
// of the vendor says what a lane holds of an operand.
#pragma once

#include "matrix_units.hpp"
#include "update_target.hpp"

namespace frond::gpu {

inline constexpr unsigned matrix_unit_threads = 128;

/// Strides such that the lanes of a warp read from different banks.
struct MatrixUnitOperands {
    static constexpr index_t tile = 64, depth = 16, left_stride = tile + 8, right_stride = depth + 4;
    double left[depth * left_stride];   // (i, k) at i + k * left_stride
    double right[tile * right_stride];  // (k, j) at k + j * right_stride

    /// Columns and rows [first, last), at most `depth` of them, zeros beyond; asynchronous.
    __device__ void load(const SquareFront<double>& f, const UpdateTarget& to, index_t first, index_t last) {
        constexpr auto threads = static_cast<index_t>(matrix_unit_threads);
        const auto thread = static_cast<index_t>(threadIdx.x);
#pragma unroll
        for (index_t e = thread; e < tile * depth + thread; e += threads) {
            const index_t i = e % tile, k = e / tile;
            const bool inside = first + k < last && to.row + i < to.row_end;
            copy_async(left + i + k * left_stride, inside ? f.data + to.row + i + (first + k) * f.ld : f.data, inside);
        }
#pragma unroll
        for (index_t e = thread; e < tile * depth + thread; e += threads) {
            const index_t k = e % depth, j = e / depth;
            const bool inside = first + k < last && to.column + j < to.column_end;
            copy_async(right + k + j * right_stride, inside ? f.data + first + k + (to.column + j) * f.ld : f.data,
                       inside);
        }
        commit_copies();
    }
};

/// A quarter of the tile, 32 x 32: sum[p][q] is the product at rows 16 p, columns 8 q of it.
struct MatrixUnitSums {
    double sum[2][4][4] = {};

    __device__ void add_products(const MatrixUnitOperands& operands, index_t row, index_t column, index_t lane) {
        const index_t along = lane / 4, k_of_lane = lane % 4;
        const double* const left = operands.left + row + along + k_of_lane * MatrixUnitOperands::left_stride;
        const double* const right = operands.right + k_of_lane + (column + along) * MatrixUnitOperands::right_stride;
#pragma unroll
        for (index_t k = 0; k < MatrixUnitOperands::depth; k += 4) {
            double a[2][2], b[4];
#pragma unroll
            for (index_t p = 0; p < 2; ++p) {
                a[p][0] = left[16 * p + k * MatrixUnitOperands::left_stride];
                a[p][1] = left[16 * p + 8 + k * MatrixUnitOperands::left_stride];
            }
#pragma unroll
            for (index_t q = 0; q < 4; ++q) b[q] = right[k + 8 * q * MatrixUnitOperands::right_stride];
#pragma unroll
            for (index_t p = 0; p < 2; ++p)
#pragma unroll
                for (index_t q = 0; q < 4; ++q) add_product_16x8x4(sum[p][q], a[p], b[q]);
        }
    }

    /// Entries of the target are loaded together, half of them at a time: one after the other, each would be waited
    /// for. Subtracted after the sums, as sums on top of them would be rounded to their size.
    __device__ void subtract(const SquareFront<double>& f, const UpdateTarget& to, index_t row, index_t column,
                             index_t lane) const {
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
                        value[q][e] = f.data[row_of(e) + column_of(q, e) * f.ld];
#pragma unroll
            for (index_t q = 0; q < 4; ++q)
#pragma unroll
                for (index_t e = 0; e < 4; ++e)
                    if (row_of(e) < to.row_end && column_of(q, e) < to.column_end)
                        f.data[row_of(e) + column_of(q, e) * f.ld] = value[q][e] - sum[p][q][e];
        }
    }
};

[[maybe_unused]] static __global__ void __launch_bounds__(matrix_unit_threads, 3)
update_with_matrix_units(StepArguments<double> a) {
    __shared__ MatrixUnitOperands operands[2];
    const FrontStep step = a.steps[find_step(a.steps, a.count, blockIdx.x, &FrontStep::first_update)];
    const SquareFront<double> f = a.fronts[step.front];
    const auto block = static_cast<index_t>(blockIdx.x - step.first_update);
    const UpdateTarget to = update_target(step, f.order, a.kind == Factorization::lu, block, MatrixUnitOperands::tile);
    const index_t lane = static_cast<index_t>(threadIdx.x) % 32, warp = static_cast<index_t>(threadIdx.x) / 32;
    const index_t row = warp % 2 * 32, column = warp / 2 * 32;
    MatrixUnitSums sums;
    constexpr index_t depth = MatrixUnitOperands::depth;
    operands[0].load(f, to, step.first_factor, step.end());
    index_t now = 0;
    for (index_t first = step.first_factor; first < step.end(); first += depth, now = 1 - now) {
        wait_for_copies();
        __syncthreads();
        if (first + depth < step.end()) operands[1 - now].load(f, to, first + depth, step.end());
        sums.add_products(operands[now], row, column, lane);
    }
    sums.subtract(f, to, row, column, lane);
}

}  // namespace frond::gpu
