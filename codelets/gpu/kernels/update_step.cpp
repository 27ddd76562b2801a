// SPDX-License-Identifier: BSD-3-Clause
// F22 := F22 - F21 F12 of every front of a step; symmetric kinds: F12 = D L21^H, tiles on and below the
// diagonal.
#include "check.hpp"
#include "step_kernels.hpp"

namespace frond::gpu {
namespace {

constexpr index_t threads_along = 16;

/// Tile number `block` of a triangle, by rows: tile (row, column), column <= row.
FROND_DEVICE void triangle_tile(index_t block, index_t& row, index_t& column) {
    row = static_cast<index_t>((sqrt(8.0 * block + 1) - 1) / 2);
    while (row * (row + 1) / 2 > block) --row;
    while ((row + 1) * (row + 2) / 2 <= block) ++row;
    column = block - row * (row + 1) / 2;
}

/// The factors of one tile in shared memory, zero beyond the front and the step.
template <class S, index_t Tile>
struct UpdateOperands {
    S left[step_columns][Tile + 1], right[step_columns][Tile + 1];

    __device__ void load(const SquareFront<S>& f, const FrontStep& step, index_t row, index_t column, index_t thread) {
        constexpr index_t threads = threads_along * threads_along;
        for (index_t e = thread; e < Tile * step_columns; e += threads) {
            const index_t i = e % Tile, k = e / Tile;
            const bool inside = k < step.width && row + i < f.order;
            left[k][i] = inside ? f.data[row + i + (step.column + k) * f.ld] : RealOf<S>::make(0);
        }
        for (index_t e = thread; e < Tile * step_columns; e += threads) {
            const index_t k = e % step_columns, j = e / step_columns;
            const bool inside = k < step.width && column + j < f.order;
            right[k][j] = inside ? f.data[step.column + k + (column + j) * f.ld] : RealOf<S>::make(0);
        }
    }
};

template <class S>
__global__ void __launch_bounds__(256) update_step_kernel(StepArguments<S> a) {
    constexpr index_t tile = update_tile<S>, each = tile / threads_along;
    __shared__ UpdateOperands<S, tile> operands;
    const FrontStep step = a.steps[find_step(a.steps, a.count, blockIdx.x, &FrontStep::first_update)];
    const SquareFront<S> f = a.fronts[step.front];
    const index_t block = static_cast<index_t>(blockIdx.x - step.first_update), first = step.column + step.width;
    const index_t tiles = (f.order - first + tile - 1) / tile;
    index_t tile_row = block % tiles, tile_column = block / tiles;
    if (a.kind != Factorization::lu) triangle_tile(block, tile_row, tile_column);
    const index_t row = first + tile_row * tile, column = first + tile_column * tile;
    const index_t x = static_cast<index_t>(threadIdx.x), y = static_cast<index_t>(threadIdx.y);
    operands.load(f, step, row, column, x + y * threads_along);
    __syncthreads();
    S sum[each][each];
    for (auto& of_column : sum)
        for (S& s : of_column) s = RealOf<S>::make(0);
    for (index_t k = 0; k < step.width; ++k) {
        S left[each], right[each];
#pragma unroll
        for (index_t p = 0; p < each; ++p) {
            left[p] = operands.left[k][x + p * threads_along];
            right[p] = operands.right[k][y + p * threads_along];
        }
#pragma unroll
        for (index_t q = 0; q < each; ++q)
#pragma unroll
            for (index_t p = 0; p < each; ++p) sum[q][p] = sum[q][p] + left[p] * right[q];
    }
#pragma unroll
    for (index_t q = 0; q < each; ++q)
#pragma unroll
        for (index_t p = 0; p < each; ++p) {
            const index_t i = row + x + p * threads_along, j = column + y + q * threads_along;
            if (i >= f.order || j >= f.order) continue;
            S* const to = f.data + i + j * f.ld;
            *to = *to - sum[q][p];
        }
}

}  // namespace

template <class S>
void launch_update(Stream stream, const StepArguments<S>& a, unsigned blocks) {
    update_step_kernel<S><<<blocks, dim3(threads_along, threads_along), 0, stream>>>(a);
    check_launch("update_step");
}

#define FROND_INSTANTIATE(S) template void launch_update<S>(Stream, const StepArguments<S>&, unsigned);
FROND_FOR_EACH_DEVICE_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
