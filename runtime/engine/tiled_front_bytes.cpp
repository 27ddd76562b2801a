// SPDX-License-Identifier: BSD-3-Clause
// What fronts that are not there yet will take, and where their factors will go.
#include "engine/tiled_front.hpp"

#include "engine/factor_room.hpp"
#include "engine/tile_bytes.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::detail {

bool is_symmetric(Factorization kind) { return kind != Factorization::lu; }
bool has_pivot_records(Factorization kind) { return kind != Factorization::llt; }
bool has_panel_backup(Factorization kind, bool threshold) {
    return has_block_diagonal(kind) || (kind == Factorization::lu && threshold);
}

template <class T>
TiledFrontBytes TiledFront<T>::bytes(const TileGrid& grid, Factorization kind, TilesHere here) {
    TiledFrontBytes b;
    for (index_t j = 0; j < grid.tiles(); ++j)
        for (index_t i = first_stored_row(kind, j); i < grid.tiles(); ++i)
            if (here.has(i, j)) (std::min(i, j) < grid.own_tiles ? b.own : b.contribution) += tile_bytes<T>(grid, i, j);
    if (has_pivot_records(kind))
        for (index_t k = 0; k < grid.own_tiles; ++k)
            if (here.has(k, k)) b.own += aligned_64(PivotRecord<T>::bytes(grid.size(k)));
    if (has_panel_backup(kind, true) && here.table == nullptr)
        for (index_t i = 0; i < grid.tiles(); ++i) b.panel_backup += backup_panels * backup_tile_bytes<T>(grid, i);
    return b;
}

template <class T>
count_t TiledFront<T>::bytes_on_device(const TileGrid& grid, Factorization kind) {
    count_t bytes = 0;
    for (index_t j = 0; j < grid.tiles(); ++j)
        for (index_t i = first_stored_row(kind, j); i < grid.tiles(); ++i)
            if (std::min(i, j) < grid.own_tiles) bytes += FactorRoom::aligned(tile_bytes<T>(grid, i, j));
    for (index_t k = 0; k < grid.own_tiles && has_pivot_records(kind); ++k)
        bytes += FactorRoom::aligned(PivotRecord<T>::bytes(grid.size(k)));
    return bytes;
}

template <class T>
void TiledFront<T>::place(const TileGrid& grid, Factorization kind, const std::function<void*(count_t)>& take,
                          gpu::FrontFactorViews<T>& placed) {
    placed.grid = &grid;
    const index_t tiles = grid.tiles();
    placed.tiles.resize(at(tiles) * at(tiles));
    for (index_t j = 0; j < tiles; ++j)
        for (index_t i = first_stored_row(kind, j); i < tiles; ++i)
            if (std::min(i, j) < grid.own_tiles)
                placed.tiles[at(i) + at(j) * at(tiles)] = {static_cast<T*>(take(tile_bytes<T>(grid, i, j))),
                                                           grid.size(i)};
    placed.records.assign(at(grid.own_tiles), nullptr);
    for (index_t k = 0; k < grid.own_tiles && has_pivot_records(kind); ++k)
        placed.records[at(k)] = static_cast<unsigned char*>(take(PivotRecord<T>::bytes(grid.size(k))));
}

#define FROND_INSTANTIATE(T)                                                                                 \
    template TiledFrontBytes TiledFront<T>::bytes(const TileGrid&, Factorization, TilesHere);                \
    template count_t TiledFront<T>::bytes_on_device(const TileGrid&, Factorization);                         \
    template void TiledFront<T>::place(const TileGrid&, Factorization, const std::function<void*(count_t)>&, \
                                       gpu::FrontFactorViews<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
