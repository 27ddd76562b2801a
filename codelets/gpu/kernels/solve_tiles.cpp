// SPDX-License-Identifier: BSD-3-Clause
// The products of solve_products.hpp with many vectors: a block of threads makes a tile of outputs and vectors, or part
// of its sums, so that the factors are read once for all of these vectors.
#include "check.hpp"
#include "frond/base/instantiate.hpp"
#include "launch.hpp"
#include "tile_by_lanes.hpp"
#include "tile_by_matrix_units.hpp"

namespace frond::gpu {
namespace {

template <class S>
constexpr bool by_matrix_units = std::is_same_v<DeviceReal<S>, double> && has_double_products;

template <class S, bool transposed>
using SumsOfTile =
    std::conditional_t<by_matrix_units<S>, TileByMatrixUnits<S, transposed>, TileByLanes<S, transposed>>;

/// What a multiprocessor holds, for the compiler; in parentheses below, since __launch_bounds__ is a macro with HIP.
template <class S>
constexpr int tiles_at_once = by_matrix_units<S> ? 3 : 2;

/// Of several pieces each is whole, or the chunk has one of them.
template <class S, bool transposed>
__global__ void __launch_bounds__((SumsOfTile<S, transposed>::threads), (tiles_at_once<S>))
    multiply_tiles_kernel(const SolveTables<S> tables, const SolveChunk* chunks, const SharedSums<S> shared,
                          bool conjugated, index_t rhs) {
    using Sums = SumsOfTile<S, transposed>;
    const index_t rounds = (rhs + tile_vectors - 1) / tile_vectors;
    const SolveChunk chunk = chunks[static_cast<index_t>(blockIdx.x) / rounds];
    const auto thread = static_cast<index_t>(threadIdx.x);
    const TileOfVectors<S, typename Sums::Number> at(tables, chunk, static_cast<index_t>(blockIdx.x) % rounds, rounds,
                                                     tile_vectors, rhs);
    Sums sums(thread);
#pragma unroll 1
    for (index_t n = 0; n < chunk.pieces; ++n) {
        const SolvePiece<S> piece = tables.pieces[chunk.first_piece + n];
        const index_t last = min(chunk.end, transposed ? piece.rows : piece.cols);
        sums.add(at, piece, chunk.begin, last, conjugated, n == 0);
    }
    if (chunk.parts > 1 && !add_parts_of_tile<S>(at, shared, sums, thread)) return;
    store_tile(at, sums);
}

template <class S, bool transposed>
void launch_tiles(Stream stream, const SolveTables<S>& tables, const SolveChunk* tiles, unsigned blocks,
                  const SharedSums<S>& shared, bool conjugated, index_t rhs) {
    using Sums = SumsOfTile<S, transposed>;
    constexpr std::size_t bytes = Sums::shared_bytes;
    if constexpr (bytes > 0)
        check(FROND_GPU(FuncSetAttribute)(reinterpret_cast<const void*>(&multiply_tiles_kernel<S, transposed>),
                                          FROND_GPU(FuncAttributeMaxDynamicSharedMemorySize), static_cast<int>(bytes)),
              "asking for shared memory");
    launch(stream, {blocks, static_cast<unsigned>(Sums::threads), bytes}, multiply_tiles_kernel<S, transposed>, tables,
           tiles, shared, conjugated, rhs);
    check_launch("multiply_tiles");
}

}  // namespace

template <class S>
void multiply_tiles(Stream stream, const SolveTables<S>& tables, const SolveChunk* tiles, count_t count,
                    const SharedSums<S>& shared, bool transposed, bool conjugated, index_t rhs) {
    if (count == 0) return;
    const unsigned blocks = static_cast<unsigned>(count) * parts(rhs, tile_vectors);
    if (transposed)
        launch_tiles<S, true>(stream, tables, tiles, blocks, shared, conjugated, rhs);
    else
        launch_tiles<S, false>(stream, tables, tiles, blocks, shared, conjugated, rhs);
}

#define FROND_INSTANTIATE(T)                                                                                        \
    template void multiply_tiles<DeviceScalar<T>>(Stream, const SolveTables<DeviceScalar<T>>&, const SolveChunk*,   \
                                                  count_t, const SharedSums<DeviceScalar<T>>&, bool, bool, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
