// SPDX-License-Identifier: BSD-3-Clause
// What a block of threads that updates a tile by the matrix units of a device reads: operands in shared memory, on
// their way there, and the target.
#pragma once

#include "check.hpp"
#include "kernels/launch.hpp"
#include "kernels/matrix_unit_sums.hpp"
#include "update_target.hpp"

namespace frond::gpu {

/// Strides such that the lanes of half a warp read from different banks.
template <class S>
struct MatrixUnitOperands {
    static constexpr index_t numbers = numbers_of<S>, tile = update_tile<S>, rows = numbers * tile, depth = 16,
                             left_columns = depth / numbers, left_stride = rows + 4, right_stride = depth + 4,
                             stages = 3;
    static constexpr unsigned threads = 32 * rows / 32 * tile / 32;
    double of_left[left_columns * left_stride];  // (i, k) at i + k * left_stride
    double of_right[tile * right_stride];  // (k, j) at k + j * right_stride

    __device__ double left(index_t i, index_t k) const {
        if constexpr (numbers == 1)
            return of_left[i + k * left_stride];
        else
            return part_of_left(of_left + i / 2 * 2 + k / 2 * left_stride, i, k, false);
    }
    __device__ double right(index_t k, index_t j) const { return of_right[k + j * right_stride]; }

    static constexpr std::size_t bytes() { return stages * sizeof(MatrixUnitOperands); }
};

/// The front as a matrix of numbers, and what one block of threads does there.
template <class S>
struct MatrixUnitTarget {
    double* data;
    count_t ld;
    index_t row, row_end, column, column_end;

    __device__ MatrixUnitTarget(const DenseFront<S>& f, const UpdateTarget& to)
        : data(reinterpret_cast<double*>(f.data)),
          ld(MatrixUnitOperands<S>::numbers * f.ld),
          row(MatrixUnitOperands<S>::numbers * to.row),
          row_end(MatrixUnitOperands<S>::numbers * to.row_end),
          column(to.column),
          column_end(to.column_end) {}

    /// Columns of the front begin at multiples of 16 bytes, and there so does the target, and row `first` of the front.
    __device__ bool has_pairs(index_t first) const {
        return at_pairs(data) && ld % 2 == 0 && row % 2 == 0 && MatrixUnitOperands<S>::numbers * first % 2 == 0;
    }
    /// A line of 128 bytes at a time: without it, blocks of threads wait for their target one after the other.
    __device__ void prefetch() const {
        constexpr index_t line = 16, lines = MatrixUnitOperands<S>::rows / line + 1;
        for (index_t e = static_cast<index_t>(threadIdx.x); e < lines * MatrixUnitOperands<S>::tile;
             e += static_cast<index_t>(MatrixUnitOperands<S>::threads)) {
            const index_t i = row + e % lines * line, j = column + e / lines;
            if (j < column_end) gpu::prefetch(data + (i < row_end ? i : row_end - 1) + j * ld);
        }
    }
};

/// Operands of a product: columns left of the target, rows above it, up to `last`.
/// in_pairs: as has_pairs says.
template <class S, bool in_pairs>
struct MatrixUnitLoads {
    using Operands = MatrixUnitOperands<S>;
    static constexpr index_t stages = Operands::stages, columns = Operands::left_columns, depth = Operands::depth,
                             each = in_pairs ? 2 : 1, step = each * static_cast<index_t>(Operands::threads);
    const MatrixUnitTarget<S>& to;
    index_t last;
    Operands* memory;

    __device__ const Operands& operands(index_t stage) const { return memory[stage]; }

    /// From column `first` on, zeros beyond the last; asynchronous.
    __device__ void load(index_t stage, index_t first) const {
        Operands& o = memory[stage];
        const index_t start = each * static_cast<index_t>(threadIdx.x);
#pragma unroll
        for (index_t e = start; e < Operands::rows * Operands::left_columns + start; e += step) {
            const index_t i = e % Operands::rows, k = e / Operands::rows;
            const index_t count = first + k < last ? inside(to.row + i, to.row_end) : 0;
            copy(o.of_left + i + k * Operands::left_stride, to.row + i, first + k, count);
        }
        const index_t first_row = Operands::numbers * first, last_row = Operands::numbers * last;
#pragma unroll
        for (index_t e = start; e < Operands::tile * Operands::depth + start; e += step) {
            const index_t k = e % Operands::depth, j = e / Operands::depth;
            const index_t count = to.column + j < to.column_end ? inside(first_row + k, last_row) : 0;
            copy(o.of_right + k + j * Operands::right_stride, first_row + k, to.column + j, count);
        }
    }

private:
    /// How many of `each` numbers from `at` on are before `end`: all of them, one or none.
    __device__ static index_t inside(index_t at, index_t end) { return at + each <= end ? each : at < end ? 1 : 0; }

    __device__ void copy(double* shared, index_t row, index_t column, index_t count) const {
        const double* const from = count > 0 ? to.data + row + column * to.ld : to.data;
        if constexpr (in_pairs)
            copy_pair_async(shared, from, count);
        else
            copy_async(shared, from, count > 0);
    }
};

// The update of a step in double precision, real or complex, by the matrix units of a device. While products are made,
// the target is on its way to the device's cache.

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
