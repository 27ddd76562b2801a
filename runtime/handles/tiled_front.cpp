// SPDX-License-Identifier: BSD-3-Clause
#include "handles/tiled_front.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"

namespace frond::detail {
namespace {

constexpr count_t aligned_64(count_t bytes) { return (bytes + 63) / 64 * 64; }

template <class T>
count_t tile_bytes(const TileGrid& grid, index_t i, index_t j) {
    return aligned_64(static_cast<count_t>(grid.size(i)) * grid.size(j) * static_cast<count_t>(sizeof(T)));
}

/// First stored tile row of tile column j.
index_t first_row(Factorization kind, index_t j) { return is_symmetric(kind) ? j : 0; }

index_t widest_own(const TileGrid& grid) {
    index_t widest = 0;
    for (index_t k = 0; k < grid.own_tiles; ++k) widest = std::max(widest, grid.size(k));
    return widest;
}

template <class T>
count_t backup_tile_bytes(const TileGrid& grid, index_t i) {
    return aligned_64(static_cast<count_t>(grid.size(i)) * widest_own(grid) * static_cast<count_t>(sizeof(T)));
}

}  // namespace

bool is_symmetric(Factorization kind) { return kind != Factorization::lu; }
bool has_pivot_records(Factorization kind) { return kind != Factorization::llt; }
bool has_block_diagonal(Factorization kind) { return kind == Factorization::ldlt || kind == Factorization::ldlh; }
bool has_panel_backup(Factorization kind, bool threshold) {
    return has_block_diagonal(kind) || (kind == Factorization::lu && threshold);
}

template <class T>
TiledFrontBytes TiledFront<T>::bytes(const TileGrid& grid, Factorization kind) {
    TiledFrontBytes b;
    for (index_t j = 0; j < grid.tiles(); ++j)
        for (index_t i = first_row(kind, j); i < grid.tiles(); ++i)
            (std::min(i, j) < grid.own_tiles ? b.own : b.contribution) += tile_bytes<T>(grid, i, j);
    if (has_pivot_records(kind))
        for (index_t k = 0; k < grid.own_tiles; ++k) b.own += aligned_64(PivotRecord<T>::bytes(grid.size(k)));
    if (has_panel_backup(kind, true))
        for (index_t i = 0; i < grid.tiles(); ++i) b.panel_backup += backup_panels * backup_tile_bytes<T>(grid, i);
    return b;
}

template <class T>
count_t TiledFront<T>::bytes_on_device(const TileGrid& grid, Factorization kind) {
    count_t bytes = 0;
    for (index_t j = 0; j < grid.tiles(); ++j)
        for (index_t i = first_row(kind, j); i < grid.tiles(); ++i)
            if (std::min(i, j) < grid.own_tiles) bytes += FactorRoom::aligned(tile_bytes<T>(grid, i, j));
    for (index_t k = 0; k < grid.own_tiles && has_pivot_records(kind); ++k)
        bytes += FactorRoom::aligned(PivotRecord<T>::bytes(grid.size(k)));
    return bytes;
}

template <class T>
void TiledFront<T>::place(const TileGrid& grid, Factorization kind, FactorRoom& room,
                          gpu::FrontFactorViews<T>& placed) {
    placed.grid = &grid;
    const index_t tiles = grid.tiles();
    placed.tiles.resize(at(tiles) * at(tiles));
    for (index_t j = 0; j < tiles; ++j)
        for (index_t i = first_row(kind, j); i < tiles; ++i)
            if (std::min(i, j) < grid.own_tiles)
                placed.tiles[at(i) + at(j) * at(tiles)] = {static_cast<T*>(room.take(tile_bytes<T>(grid, i, j))),
                                                           grid.size(i)};
    placed.records.assign(at(grid.own_tiles), nullptr);
    for (index_t k = 0; k < grid.own_tiles && has_pivot_records(kind); ++k)
        placed.records[at(k)] = static_cast<unsigned char*>(room.take(PivotRecord<T>::bytes(grid.size(k))));
}

template <class T>
TiledFront<T>::TiledFront(const Front& front, const TileGrid& grid, Factorization kind, bool threshold, TileHomes homes,
                          HostHeap& heap, FactorRoom* room)
    : front_(&front),
      grid_(&grid),
      kind_(kind),
      symmetric_(is_symmetric(kind)),
      homes_(homes),
      heap_(&heap),
      room_(room) {
    place_tiles();
    if (has_pivot_records(kind)) place_records();
    const bool others = homes == TileHomes::all_on_host || homes == TileHomes::factors_on_host;
    if (has_panel_backup(kind, threshold) && others) place_panel_backup();
    for (index_t k = 0; k < own_tiles(); ++k) kept_.push_back(grid.size(k));
}

template <class T>
void TiledFront<T>::place_tiles() {
    const std::size_t count = at(tiles()) * at(tiles());
    views_.resize(count);
    handles_.resize(count);
    for (index_t j = 0; j < tiles(); ++j)
        for (index_t i = first_row(kind_, j); i < tiles(); ++i) place_tile(i, j);
}

template <class T>
void TiledFront<T>::place_tile(index_t i, index_t j) {
    const index_t rows = grid_->size(i), cols = grid_->size(j);
    if (homes_ == TileHomes::only_factors_on_device) return place_tile_on_device(i, j);
    if (homes_ == TileHomes::only_factors_on_host && !is_own(i, j)) return;
    if (homes_ == TileHomes::factors_on_host && !is_own(i, j)) {
        handles_[number(i, j)] = DataHandle::matrix_without_home<T>(rows, cols);
        return;
    }
    std::vector<HostBlock>& blocks = is_own(i, j) ? own_ : contribution_;
    T* memory = static_cast<T*>(blocks.emplace_back(tile_bytes<T>(*grid_, i, j), *heap_).data());
    views_[number(i, j)] = {memory, rows, cols, rows};
    handles_[number(i, j)] = DataHandle::matrix(views_[number(i, j)]);
}

template <class T>
void TiledFront<T>::place_tile_on_device(index_t i, index_t j) {
    if (!is_own(i, j)) return;
    const index_t rows = grid_->size(i), cols = grid_->size(j);
    views_[number(i, j)] = {static_cast<T*>(room_->take(tile_bytes<T>(*grid_, i, j))), rows, cols, rows};
    handles_[number(i, j)] = DataHandle::matrix(views_[number(i, j)], room_->node());
}

template <class T>
void TiledFront<T>::place_records() {
    for (index_t k = 0; k < own_tiles(); ++k) {
        const count_t size = PivotRecord<T>::bytes(grid_->size(k));
        if (homes_ == TileHomes::only_factors_on_device) {
            records_.push_back(static_cast<unsigned char*>(room_->take(size)));
            record_handles_.push_back(DataHandle::vector(records_.back(), size, room_->node()));
            continue;
        }
        records_.push_back(static_cast<unsigned char*>(own_.emplace_back(aligned_64(size), *heap_).data()));
        record_handles_.push_back(DataHandle::vector(records_.back(), size));
    }
}

template <class T>
void TiledFront<T>::place_panel_backup() {
    backup_handles_.resize(at(tiles()) * at(backup_panels));
    for (index_t slot = 0; slot < backup_panels; ++slot)
        for (index_t i = 0; i < tiles(); ++i) {
            DataHandle& handle = backup_handles_[at(i) + at(slot) * at(tiles())];
            if (homes_ == TileHomes::factors_on_host) {
                handle = DataHandle::matrix_without_home<T>(grid_->size(i), widest_own(*grid_));
                continue;
            }
            T* memory = static_cast<T*>(panel_backup_.emplace_back(backup_tile_bytes<T>(*grid_, i)).data());
            const DenseView<T> view{memory, grid_->size(i), widest_own(*grid_), grid_->size(i)};
            handle = DataHandle::matrix(view);
        }
}

template <class T>
PivotRecord<T> TiledFront<T>::record(index_t k) const {
    return records_.empty() ? PivotRecord<T>{} : PivotRecord<T>::at(records_[at(k)], grid_->size(k));
}

template <class T>
void TiledFront<T>::unregister_contribution() {
    for (index_t j = own_tiles(); j < tiles(); ++j)
        for (index_t i = own_tiles(); i < tiles(); ++i) handles_[number(i, j)].release_when_unused();
}

template <class T>
void TiledFront<T>::unregister_panel_backup() {
    for (DataHandle& handle : backup_handles_) handle.release_when_unused();
}

#define FROND_INSTANTIATE(T) template class TiledFront<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
