// SPDX-License-Identifier: BSD-3-Clause
// The products of solve_products.hpp with many vectors: a block of threads makes a tile of outputs and vectors, or part
// of its sums, so that the factors are read once for all of these vectors.
#include "frond/base/instantiate.hpp"
#include "tile_by_lanes.hpp"
#include "tile_by_matrix_units.hpp"
#include "tile_kernel.hpp"

namespace frond::gpu {
namespace {

template <class S, bool transposed>
using SumsOfTile = std::conditional_t<std::is_same_v<DeviceReal<S>, double> && has_double_products,
                                      TileByMatrixUnits<S, transposed>, TileByLanes<S, transposed>>;

}  // namespace

template <class S>
void multiply_tiles(Stream stream, const SolveTables<S>& tables, const SolveChunk* tiles, count_t count,
                    const SharedSums<S>& shared, bool transposed, bool conjugated, index_t rhs) {
    if (count == 0) return;
    if (transposed)
        launch_tiles<S, SumsOfTile<S, true>>(stream, tables, tiles, count, shared, conjugated, rhs);
    else
        launch_tiles<S, SumsOfTile<S, false>>(stream, tables, tiles, count, shared, conjugated, rhs);
}

#define FROND_INSTANTIATE(T)                                                                                      \
    template void multiply_tiles<DeviceScalar<T>>(Stream, const SolveTables<DeviceScalar<T>>&, const SolveChunk*, \
                                                  count_t, const SharedSums<DeviceScalar<T>>&, bool, bool, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
