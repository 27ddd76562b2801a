// SPDX-License-Identifier: BSD-3-Clause
// Sums of a tile of vectors where matrix units cannot make them: entry by entry, operands in shared memory and those of
// later entries in registers.
#pragma once

#include "tile_of_vectors.hpp"

namespace frond::gpu {

template <class S, bool transposed>
struct TileByLanes {
    using Number = S;
    static constexpr bool is_transposed = transposed;
    static constexpr int blocks_at_once = 2;  // on a multiprocessor, for the compiler
    static constexpr index_t side = 16, outputs = tile_outputs<S>, rows = outputs / side, columns = tile_vectors / side,
                             depth = 256 / sizeof(S) < 32 ? 256 / sizeof(S) : 32;
    static constexpr int threads = side * side, count = rows * columns;
    static constexpr std::size_t shared_bytes = 0;
    struct Operands {
        S left[depth][outputs + 1], right[depth][tile_vectors + 1];
    };

    index_t thread;
    S sum[count];

    __device__ explicit TileByLanes(index_t number) : thread(number) { clear(); }

    __device__ S& number(int e) { return sum[e]; }
    __device__ index_t row_of(int e) const { return thread % side + e % rows * side; }
    __device__ index_t column_of(int e) const { return thread / side + e / rows * side; }
    __device__ void clear() {
#pragma unroll
        for (S& s : sum) s = RealOf<S>::make(0);
    }

    /// Entries [first, last) of the sums.
    __device__ void add(const TileOfVectors<S, S>& at, const SolvePiece<S>& piece, index_t first, index_t last,
                        bool conjugated, bool /*is_first*/) {
        __shared__ Operands operands;
        S left[each_left], right[each_right];
        fetch(at, piece, first, last, left, right);
        for (index_t k = first; k < last; k += depth) {
            __syncthreads();
            put(operands, left, right, conjugated);
            __syncthreads();
            if (k + depth < last) fetch(at, piece, k + depth, last, left, right);
            multiply(operands);
        }
    }

private:
    static constexpr index_t each_left = depth * outputs / threads, each_right = depth * tile_vectors / threads;

    /// Neighbouring threads have neighbours in memory.
    __device__ index_t entry_of_left(index_t n, index_t& i) const {
        const index_t e = thread + n * threads;
        i = transposed ? e / depth : e % outputs;
        return transposed ? e % depth : e / outputs;
    }

    __device__ void fetch(const TileOfVectors<S, S>& at, const SolvePiece<S>& piece, index_t first, index_t last,
                          S (&left)[each_left], S (&right)[each_right]) const {
#pragma unroll
        for (index_t n = 0; n < each_left; ++n) {
            index_t i = 0;
            const index_t k = first + entry_of_left(n, i), output = at.chunk.first + i;
            const bool inside = i < at.rows && k < last;
            left[n] =
                inside ? piece.matrix[transposed ? k + output * piece.ld : output + k * piece.ld] : RealOf<S>::make(0);
        }
#pragma unroll
        for (index_t n = 0; n < each_right; ++n) {
            const index_t e = thread + n * threads, k = first + e % depth, v = e / depth;
            const bool inside = k < last && v < at.vectors;
            const index_t row = inside && piece.order != nullptr ? piece.order[k] : k;
            right[n] = inside ? piece.source[row + (at.first_vector + v) * piece.source_ld] : RealOf<S>::make(0);
        }
    }

    __device__ void put(Operands& to, const S (&left)[each_left], const S (&right)[each_right], bool conjugated) const {
#pragma unroll
        for (index_t n = 0; n < each_left; ++n) {
            index_t i = 0;
            const index_t k = entry_of_left(n, i);
            to.left[k][i] = conjugated ? conjugate(left[n]) : left[n];
        }
#pragma unroll
        for (index_t n = 0; n < each_right; ++n)
            to.right[(thread + n * threads) % depth][(thread + n * threads) / depth] = right[n];
    }

    __device__ void multiply(const Operands& operands) {
        const index_t x = thread % side, y = thread / side;
#pragma unroll 4
        for (index_t k = 0; k < depth; ++k) {
            S left[rows], right[columns];
#pragma unroll
            for (index_t r = 0; r < rows; ++r) left[r] = operands.left[k][x + r * side];
#pragma unroll
            for (index_t q = 0; q < columns; ++q) right[q] = operands.right[k][y + q * side];
#pragma unroll
            for (int e = 0; e < count; ++e) sum[e] = sum[e] + left[e % rows] * right[e / rows];
        }
    }
};

}  // namespace frond::gpu
