// SPDX-License-Identifier: BSD-3-Clause
// Sums of a tile of vectors in double precision, real or complex, by the matrix units of a device.
#pragma once

#include "kernels/matrix_unit_sums.hpp"
#include "tile_of_vectors.hpp"

namespace frond::gpu {

/// Operands of one stage in shared memory. Transposed: columns of the block are outputs. Strides such that the lanes of
/// half a warp read from different banks.
template <class S, bool transposed>
struct VectorTileOperands {
    static constexpr index_t numbers = numbers_of<S>, outputs = tile_outputs<S>, rows = numbers * outputs, depth = 16,
                             columns = depth / numbers, row_stride = depth + 4,
                             left_stride = transposed ? row_stride : rows + 4,
                             left_size = transposed ? outputs * row_stride : columns * left_stride;
    double of_left[left_size];  // entry (i, k) at i + k * left_stride, transposed: at k + i * left_stride
    double of_right[tile_vectors * row_stride];  // (k, v) at k + v * row_stride

    __device__ static constexpr index_t place(index_t i, index_t k) {
        return transposed ? numbers * k + i * left_stride : numbers * i + k * left_stride;
    }
};

/// What add_products reads for one piece of a product.
template <class S, bool transposed>
struct VectorTileSource {
    using Operands = VectorTileOperands<S, transposed>;
    static constexpr index_t stages = 3, columns = Operands::columns, depth = Operands::depth,
                             numbers = Operands::numbers;
    static constexpr std::size_t bytes() { return stages * sizeof(Operands); }

    const TileOfVectors<S, double>& at;
    const SolvePiece<S>& piece;
    index_t end, threads;
    bool conjugated;
    Operands* memory;

    struct Access {
        const Operands& of;
        bool conjugated;
        __device__ double left(index_t i, index_t k) const {
            if constexpr (numbers == 1)
                return of.of_left[Operands::place(i, k)];
            else
                return part_of_left(of.of_left + Operands::place(i / 2, k / 2), i, k, conjugated);
        }
        __device__ double right(index_t k, index_t j) const { return of.of_right[k + j * Operands::row_stride]; }
    };
    __device__ Access operands(index_t stage) const { return {memory[stage], conjugated}; }

    __device__ void load(index_t stage, index_t first) const {
        load_left(memory[stage], first);
        load_right(memory[stage], first);
    }

private:
    /// Neighbours in memory are rows of the block; a thread copies 16 bytes of them where they may be copied so.
    __device__ void load_left(Operands& to, index_t first) const {
        constexpr index_t along = transposed ? columns : Operands::outputs;
        constexpr index_t across = transposed ? Operands::outputs : columns;
        const index_t row = transposed ? first : at.chunk.first, column = transposed ? at.chunk.first : first;
        const index_t row_end = transposed ? end : piece.rows, column_end = transposed ? piece.cols : end;
        const double* const matrix = reinterpret_cast<const double*>(piece.matrix + row + column * piece.ld);
        const auto copy = [&](index_t e, auto in_pairs) {
            constexpr index_t each = decltype(in_pairs)::each;
            const index_t r = e % (numbers * along / each) * each, c = e / (numbers * along / each);
            const index_t left = column + c < column_end ? numbers * (row_end - row) - r : 0;
            double* const place = to.of_left + r + c * Operands::left_stride;
            copy_numbers<each>(place, matrix + r + c * numbers * piece.ld, left, matrix);
        };
        for_each_copy<numbers * along * across>(at_pairs(matrix) && numbers * piece.ld % 2 == 0, copy);
    }

    __device__ void load_right(Operands& to, index_t first) const {
        const double* const source = reinterpret_cast<const double*>(piece.source + at.first_vector * piece.source_ld);
        const bool ordered = piece.order != nullptr;
        const auto copy = [&](index_t e, auto in_pairs) {
            constexpr index_t each = decltype(in_pairs)::each;
            const index_t k = e % (depth / each) * each, v = e / (depth / each), entry = first + k / numbers;
            const index_t left = v < at.vectors ? numbers * (end - first) - k : 0;
            const index_t row = ordered && left > 0 ? piece.order[entry] : entry;
            copy_numbers<each>(to.of_right + k + v * Operands::row_stride,
                               source + numbers * (row + v * piece.source_ld) + k % numbers, left, source);
        };
        const bool neighbours = numbers > 1 || (!ordered && first % 2 == 0 && piece.source_ld % 2 == 0);
        for_each_copy<depth * tile_vectors>(neighbours && at_pairs(source), copy);
    }

    template <index_t each_>
    struct Each {
        static constexpr index_t each = each_;
    };

    template <index_t count, class Copy>
    __device__ void for_each_copy(bool in_pairs, Copy copy) const {
        const auto thread = static_cast<index_t>(threadIdx.x);
        if (in_pairs)
            for (index_t e = thread; e < count / 2; e += threads) copy(e, Each<2>{});
        else
            for (index_t e = thread; e < count; e += threads) copy(e, Each<1>{});
    }

    /// left: so many numbers are there from `from` on; any: an address that may be read.
    template <index_t each>
    __device__ static void copy_numbers(double* to, const double* from, index_t left, const double* any) {
        if constexpr (each == 2)
            copy_pair_async(to, left > 0 ? from : any, left >= 2 ? 2 : left > 0 ? 1 : 0);
        else
            copy_async(to, left > 0 ? from : any, left > 0);
    }
};

/// The sums of one block of threads.
template <class S, bool transposed>
struct TileByMatrixUnits : MatrixUnitSums {
    using Number = double;
    static constexpr bool is_transposed = transposed;
    static constexpr int blocks_at_once = 3;  // on a multiprocessor, for the compiler
    using Source = VectorTileSource<S, transposed>;
    static constexpr index_t rows = numbers_of<S> * tile_outputs<S>;
    static constexpr int threads = 32 * (rows / 32) * (tile_vectors / 32), count = 32;
    static constexpr std::size_t shared_bytes = Source::bytes();

    __device__ explicit TileByMatrixUnits(index_t thread)
        : MatrixUnitSums{thread / 32 % (rows / 32) * 32, thread / 32 / (rows / 32) * 32, thread % 32} {}

    __device__ double& number(int e) { return sum[e / 16][e / 4 % 4][e % 4]; }
    __device__ index_t row_of(int e) const { return MatrixUnitSums::row_of(e / 16, e % 4); }
    __device__ index_t column_of(int e) const { return MatrixUnitSums::column_of(e / 4 % 4, e % 4); }
    __device__ void clear() {
#pragma unroll
        for (int e = 0; e < count; ++e) number(e) = 0;
    }

    /// Entries [first, last) of the sums.
    __device__ void add(const TileOfVectors<S, double>& at, const SolvePiece<S>& piece, index_t first, index_t last,
                        bool conjugated, bool is_first) {
        const Source source{at,      piece,      last,
                            threads, conjugated, reinterpret_cast<typename Source::Operands*>(asked_shared_memory())};
        if (!is_first) __syncthreads();
        add_products(source, *this, first, last, [&] {
            if (is_first) prefetch_target(at);
        });
    }

private:
    /// A line of 128 bytes at a time.
    __device__ static void prefetch_target(const TileOfVectors<S, double>& at) {
        constexpr index_t line = 16, lines = rows / line + 1;
        if (!at.product.subtract || at.chunk.parts > 1) return;
        for (index_t e = static_cast<index_t>(threadIdx.x); e < lines * at.vectors; e += threads)
            gpu::prefetch(at.target(min(e % lines * line, at.rows - 1), e / lines));
    }
};

}  // namespace frond::gpu
