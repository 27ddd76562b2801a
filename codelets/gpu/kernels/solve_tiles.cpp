// SPDX-License-Identifier: BSD-3-Clause
// The products of solve_products.hpp with many vectors: a block of threads makes a tile of outputs and vectors, so
// that the factors are read once for 64 of them.
#include "check.hpp"
#include "frond/base/instantiate.hpp"
#include "launch.hpp"
#include "solve_products.hpp"

namespace frond::gpu {
namespace {

constexpr int side = 16, threads_of_tile = side * side, vectors_of_tile = 64;

/// Factors of one tile in shared memory: entry k of the sum, output (vector).
template <class S, int OUTPUTS>
struct TileOperands {
    static constexpr index_t depth = 256 / sizeof(S) < 32 ? 256 / sizeof(S) : 32;
    S left[depth][OUTPUTS + 1], right[depth][vectors_of_tile + 1];

    /// Entries [first, last) of the sums, zeros beyond.
    __device__ void load(const SolvePiece<S>& piece, bool transposed, bool conjugated, index_t output, index_t outputs,
                         index_t vector, index_t vectors, index_t first, index_t last, index_t thread) {
        constexpr index_t threads = threads_of_tile;
        for (index_t e = thread; e < depth * OUTPUTS; e += threads) {
            const index_t i = transposed ? e / depth : e % OUTPUTS, k = transposed ? e % depth : e / OUTPUTS;
            S value = RealOf<S>::make(0);
            if (output + i < outputs && first + k < last)
                value = transposed ? piece.matrix[first + k + (output + i) * piece.ld]
                                   : piece.matrix[output + i + (first + k) * piece.ld];
            left[k][i] = conjugated ? conjugate(value) : value;
        }
        for (index_t e = thread; e < depth * vectors_of_tile; e += threads) {
            const index_t k = e % depth, q = e / depth;
            const bool inside = first + k < last && q < vectors;
            const index_t at = inside && piece.order != nullptr ? piece.order[first + k] : first + k;
            right[k][q] = inside ? piece.source[at + (vector + q) * piece.source_ld] : RealOf<S>::make(0);
        }
    }
};

template <class S, int OUTPUTS>
__global__ void __launch_bounds__(threads_of_tile)
    multiply_tiles_kernel(const SolveTables<S> tables, const SolveTile* chunks, bool transposed, bool conjugated,
                          index_t rhs) {
    constexpr int rows = OUTPUTS / side, columns = vectors_of_tile / side;
    __shared__ TileOperands<S, OUTPUTS> operands;
    const index_t tiles = (rhs + vectors_of_tile - 1) / vectors_of_tile;
    const SolveTile chunk = chunks[static_cast<index_t>(blockIdx.x) / tiles];
    const SolveProduct<S> p = tables.products[chunk.product];
    const index_t vector = vectors_of_tile * (static_cast<index_t>(blockIdx.x) % tiles);
    const index_t x = static_cast<index_t>(threadIdx.x), y = static_cast<index_t>(threadIdx.y);
    S sum[columns][rows];
    for (auto& of_column : sum)
        for (S& s : of_column) s = RealOf<S>::make(0);
    for (index_t n = 0; n < p.pieces; ++n) {
        const SolvePiece<S> piece = tables.pieces[p.first_piece + n];
        const index_t length = transposed ? piece.rows : piece.cols;
        const bool starts_late = piece.shape == (transposed ? Shape::lower : Shape::upper);
        const bool ends_early = piece.shape == (transposed ? Shape::upper : Shape::lower);
        const index_t end = ends_early ? min(length, chunk.first + OUTPUTS) : length;
        for (index_t k = starts_late ? chunk.first : 0; k < end; k += operands.depth) {
            operands.load(piece, transposed, conjugated, chunk.first, p.outputs, vector, rhs - vector, k, end,
                          x + y * side);
            __syncthreads();
#pragma unroll 4
            for (index_t d = 0; d < operands.depth; ++d)
#pragma unroll
                for (int q = 0; q < columns; ++q)
#pragma unroll
                    for (int r = 0; r < rows; ++r)
                        sum[q][r] = sum[q][r] + operands.left[d][x + r * side] * operands.right[d][y + q * side];
            __syncthreads();
        }
    }
#pragma unroll
    for (int q = 0; q < columns; ++q)
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            const index_t i = chunk.first + x + r * side, v = vector + y + q * side;
            if (i >= p.outputs || v >= rhs) continue;
            S* const target = p.target + i + v * p.target_ld;
            const S value = p.subtract ? *target - sum[q][r] : sum[q][r];
            *target = value;
            if (p.copy != nullptr) p.copy[(p.copy_order == nullptr ? i : p.copy_order[i]) + v * p.copy_ld] = value;
        }
}

}  // namespace

template <class S>
void multiply_tiles(Stream stream, const SolveTables<S>& tables, const SolveTile* tiles, count_t count,
                    index_t tile_outputs, bool transposed, bool conjugated, index_t rhs) {
    if (count == 0) return;
    const unsigned blocks = static_cast<unsigned>(count) * parts(rhs, vectors_of_tile);
    const dim3 threads(side, side);
    if (tile_outputs == tall_tile)
        launch(stream, {blocks, threads}, multiply_tiles_kernel<S, tall_tile>, tables, tiles, transposed, conjugated,
               rhs);
    else
        launch(stream, {blocks, threads}, multiply_tiles_kernel<S, short_tile>, tables, tiles, transposed, conjugated,
               rhs);
    check_launch("multiply_tiles");
}

#define FROND_INSTANTIATE(T)                                                                                       \
    template void multiply_tiles<DeviceScalar<T>>(Stream, const SolveTables<DeviceScalar<T>>&, const SolveTile*,   \
                                                  count_t, index_t, bool, bool, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
