// SPDX-License-Identifier: BSD-3-Clause
// What a block of threads that updates a tile by the matrix units of a device reads: operands in shared memory, on
// their way there, and the target.
#pragma once

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

}  // namespace frond::gpu
