// SPDX-License-Identifier: BSD-3-Clause
// F22 := F22 - F21 F12 of every front of a step; symmetric kinds: F12 = D L21^H, tiles on and below the
// diagonal. Behind a block of columns, or in the rest of it (L U: and of its rows): see FrontStep.
#include "check.hpp"
#include "kernels/copy_in_rounds.hpp"
#include "kernels/launch.hpp"
#include "update_target.hpp"
#include "update_with_matrix_units.hpp"

namespace frond::gpu {
namespace {

constexpr index_t threads_along = 16;

/// The factors of one tile in shared memory, zero beyond the target and from column last on.
template <class S, index_t Tile>
struct UpdateOperands {
    S left[step_columns][Tile + 1], right[step_columns][Tile + 1];

    __device__ void load(const DenseFront<S>& f, const UpdateTarget& to, index_t first, index_t last, index_t thread) {
        const auto from = [&](bool inside, index_t i, index_t j) {
            return inside ? f.data[i + j * f.ld] : RealOf<S>::make(0);
        };
        copy_in_rounds<S, 2>(
            Tile * step_columns, thread, threads_along * threads_along,
            [&](index_t e) {
                const index_t i = to.row + e % Tile, k = first + e / Tile;
                return from(k < last && i < to.row_end, i, k);
            },
            [&](index_t e, S value) { left[e / Tile][e % Tile] = value; });
        copy_in_rounds<S, 2>(
            Tile * step_columns, thread, threads_along * threads_along,
            [&](index_t e) {
                const index_t k = first + e % step_columns, j = to.column + e / step_columns;
                return from(k < last && j < to.column_end, k, j);
            },
            [&](index_t e, S value) { right[e % step_columns][e / step_columns] = value; });
    }
};

/// Entries of a tile that one thread has: rows and columns x + p threads_along, y + q threads_along.
template <class S>
struct ThreadEntries {
    static constexpr index_t each = update_tile<S> / threads_along;
    index_t x, y;
    S sum[each][each];

    __device__ ThreadEntries(index_t x, index_t y) : x(x), y(y) {
        for (auto& of_column : sum)
            for (S& s : of_column) s = RealOf<S>::make(0);
    }

    __device__ void add_product(const UpdateOperands<S, update_tile<S>>& operands) {
#pragma unroll 4
        for (index_t k = 0; k < step_columns; ++k) {
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
    }

    /// A column of the target is loaded together: one after the other, each of its entries would be waited for.
    __device__ void subtract_from(const DenseFront<S>& f, const UpdateTarget& to) const {
#pragma unroll
        for (index_t q = 0; q < each; ++q) {
            const index_t j = to.column + y + q * threads_along;
            const auto row_of = [&](index_t p) { return to.row + x + p * threads_along; };
            S value[each];
#pragma unroll
            for (index_t p = 0; p < each; ++p)
                if (row_of(p) < to.row_end && j < to.column_end) value[p] = f.data[row_of(p) + j * f.ld];
#pragma unroll
            for (index_t p = 0; p < each; ++p)
                if (row_of(p) < to.row_end && j < to.column_end) f.data[row_of(p) + j * f.ld] = value[p] - sum[q][p];
        }
    }
};

template <class S>
__global__ void __launch_bounds__(256, 4) update_step_kernel(StepArguments<S> a) {
    __shared__ UpdateOperands<S, update_tile<S>> operands;
    const FrontStep step = a.steps[find_step(a.steps, a.count, blockIdx.x, &FrontStep::first_update)];
    const DenseFront<S> f = a.fronts[step.front];
    const auto block = static_cast<index_t>(blockIdx.x - step.first_update);
    const UpdateTarget to = update_target(step, f, a.kind == Factorization::lu, block, update_tile<S>);
    ThreadEntries<S> entries(static_cast<index_t>(threadIdx.x), static_cast<index_t>(threadIdx.y));
    for (index_t first = step.first_factor; first < step.end(); first += step_columns) {
        operands.load(f, to, first, step.end(), entries.x + entries.y * threads_along);
        __syncthreads();
        entries.add_product(operands);
        __syncthreads();
    }
    entries.subtract_from(f, to);
}

}  // namespace

template <class S>
void launch_update(Stream stream, const StepArguments<S>& a, unsigned blocks) {
    if constexpr (std::is_same_v<DeviceReal<S>, double> && has_double_products)
        launch_update_with_matrix_units(stream, a, blocks);
    else
        launch<S, update_step_kernel<S>>(stream, {blocks, dim3(threads_along, threads_along)}, a);
    check_launch("update_step");
}

#define FROND_INSTANTIATE(S) template void launch_update<S>(Stream, const StepArguments<S>&, unsigned);
FROND_FOR_EACH_DEVICE_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
