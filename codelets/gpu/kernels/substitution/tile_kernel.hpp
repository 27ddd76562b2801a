// SPDX-License-Identifier: BSD-3-Clause
// The kernel of solve_tiles.cpp, whichever way sums are made: TileByMatrixUnits or TileByLanes.
#pragma once

#include "check.hpp"
#include "kernels/launch.hpp"
#include "tile_of_vectors.hpp"

namespace frond::gpu {

/// Where there are several pieces, each is whole, or the chunk has one of them. The bounds are in parentheses, since
/// __launch_bounds__ is a macro with HIP.
template <class S, class Sums>
__global__ void __launch_bounds__((Sums::threads), (Sums::blocks_at_once))
    multiply_tiles_kernel(const SolveTables<S> tables, const SolveChunk* chunks, const SharedSums<S> shared,
                          bool conjugated, index_t rhs) {
    const index_t rounds = (rhs + tile_vectors - 1) / tile_vectors;
    const SolveChunk chunk = chunks[static_cast<index_t>(blockIdx.x) / rounds];
    const auto thread = static_cast<index_t>(threadIdx.x);
    const TileOfVectors<S, typename Sums::Number> at(tables, chunk, static_cast<index_t>(blockIdx.x) % rounds, rounds,
                                                     tile_vectors, rhs);
    Sums sums(thread);
#pragma unroll 1
    for (index_t n = 0; n < chunk.pieces; ++n) {
        const SolvePiece<S> piece = tables.pieces[chunk.first_piece + n];
        const index_t last = min(chunk.end, Sums::is_transposed ? piece.rows : piece.cols);
        sums.add(at, piece, chunk.begin, last, conjugated, n == 0);
    }
    if (chunk.parts > 1 && !add_parts_of_tile<S>(at, shared, sums, thread)) return;
    store_tile(at, sums);
}

template <class S, class Sums>
void launch_tiles(Stream stream, const SolveTables<S>& tables, const SolveChunk* tiles, count_t count,
                  const SharedSums<S>& shared, bool conjugated, index_t rhs) {
    constexpr std::size_t bytes = Sums::shared_bytes;
    if constexpr (bytes > 0)
        check(FROND_GPU(FuncSetAttribute)(reinterpret_cast<const void*>(&multiply_tiles_kernel<S, Sums>),
                                          FROND_GPU(FuncAttributeMaxDynamicSharedMemorySize), static_cast<int>(bytes)),
              "asking for shared memory");
    const unsigned blocks = static_cast<unsigned>(count) * parts(rhs, tile_vectors);
    launch<S, multiply_tiles_kernel<S, Sums>>(stream, {blocks, static_cast<unsigned>(Sums::threads), bytes}, tables,
                                              tiles, shared, conjugated, rhs);
    check_launch("multiply_tiles");
}

}  // namespace frond::gpu
