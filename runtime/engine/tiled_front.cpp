// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tiled_front.hpp"

#include <cstring>

#include "engine/tile_bytes.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::detail {

template <class T>
TiledFront<T>::TiledFront(const Front& front, const TileGrid& grid, Factorization kind, bool threshold, TileHomes homes,
                          TilesHere here)
    : front_(&front), grid_(&grid), kind_(kind), symmetric_(is_symmetric(kind)), here_(here), homes_(homes) {
    place_tiles();
    begin_outcomes();
    if (has_pivot_records(kind))
        place_records();
    else
        register_outcomes();
    if (has_panel_backup(kind, threshold) && here.table == nullptr) place_panel_backup();
}

template <class T>
TiledFront<T>::TiledFront(const Front& front, const TileGrid& grid, Factorization kind, const MadeFactors<T>& made)
    : front_(&front), grid_(&grid), kind_(kind), symmetric_(is_symmetric(kind)) {
    views_.resize(made.places.tiles.size());
    handles_.resize(made.places.tiles.size());
    for (index_t j = 0; j < tiles(); ++j)
        for (index_t i = first_stored_row(kind_, j); i < tiles(); ++i) {
            const std::size_t n = number(i, j);
            if (!is_own(i, j)) continue;
            views_[n] = {made.places.tiles[n].data, grid.size(i), grid.size(j), grid.size(i)};
            handles_[n] = DataHandle::matrix(views_[n], made.tile_node[n]);
        }
    begin_outcomes();
    for (index_t k = 0; k < own_tiles() && has_pivot_records(kind); ++k) {
        records_.push_back(made.places.records[at(k)]);
        record_handles_.push_back(
            DataHandle::record<T>(records_.back(), grid.size(k), outcomes_[at(k)], made.record_node[at(k)]));
    }
}

template <class T>
void TiledFront<T>::place_copies_on_host(const gpu::FrontFactorViews<T>& places,
                                         const std::function<unsigned char*(const void*)>& copy_of) {
    for (std::size_t n = 0; n < places.tiles.size(); ++n)
        if (unsigned char* const copy = copy_of(places.tiles[n].data); copy != nullptr)
            handles_[n].place_copy_on_host(copy);
    for (std::size_t k = 0; k < record_handles_.size(); ++k)
        if (unsigned char* const copy = copy_of(places.records[k]); copy != nullptr)
            record_handles_[k].place_copy_on_host(copy);
}

template <class T>
void TiledFront<T>::begin_outcomes() {
    outcomes_.resize(at(own_tiles()));
    for (index_t k = 0; k < own_tiles(); ++k) outcomes_[at(k)].begin(grid_->size(k));
}

template <class T>
void TiledFront<T>::place_tiles() {
    const std::size_t count = at(tiles()) * at(tiles());
    views_.resize(count);
    handles_.resize(count);
    if (homes_ == TileHomes::all_on_host) new_bytes_.resize(count);
    for (index_t j = 0; j < tiles(); ++j)
        for (index_t i = first_stored_row(kind_, j); i < tiles(); ++i)
            if (here_.has(i, j)) place_tile(i, j);
}

template <class T>
void TiledFront<T>::place_tile(index_t i, index_t j) {
    const index_t rows = grid_->size(i), cols = grid_->size(j);
    if (homes_ == TileHomes::factors_on_host && !is_own(i, j)) {
        handles_[number(i, j)] = DataHandle::matrix_without_home<T>(rows, cols);
        return;
    }
    std::vector<HostBlock>& blocks = is_own(i, j) ? own_ : contribution_;
    if (homes_ == TileHomes::all_on_host) {
        Late& late = late_.emplace_back();
        handles_[number(i, j)] = DataHandle::matrix_to_come<T>(rows, cols);
        late.data = handles_[number(i, j)].late();
        late.bytes = tile_bytes<T>(*grid_, i, j);
        late.blocks = &blocks;
        late.view = &views_[number(i, j)];
        late.tile = number(i, j);
        *late.view = {nullptr, rows, cols, rows};
        return;
    }
    HostHeap& heap = here_.memory != nullptr ? *here_.memory : host_heap();
    T* memory = static_cast<T*>(blocks.emplace_back(tile_bytes<T>(*grid_, i, j), heap).data());
    views_[number(i, j)] = {memory, rows, cols, rows};
    handles_[number(i, j)] = DataHandle::matrix(views_[number(i, j)]);
}

template <class T>
void TiledFront<T>::place_records() {
    for (index_t k = 0; k < own_tiles(); ++k) {
        const index_t n = grid_->size(k);
        const count_t size = PivotRecord<T>::bytes(n);
        if (!here_.has(k, k)) {
            records_.push_back(nullptr);
            record_handles_.emplace_back();
            continue;
        }
        records_.push_back(static_cast<unsigned char*>(own_.emplace_back(aligned_64(size)).data()));
        // Other ranks do not know at once that this one has stopped, and use rows in the order of what it sends.
        if (here_.table != nullptr) std::memset(records_.back(), 0, static_cast<std::size_t>(size));
        record_handles_.push_back(DataHandle::record<T>(records_.back(), n, outcomes_[at(k)]));
    }
}

template <class T>
void TiledFront<T>::register_outcomes() {
    for (index_t k = 0; k < own_tiles(); ++k)
        record_handles_.push_back(here_.has(k, k) ? DataHandle::object(outcomes_[at(k)]) : DataHandle());
}

template <class T>
void TiledFront<T>::place_panel_backup() {
    backup_handles_.resize(at(tiles()) * at(backup_panels));
    if (homes_ != TileHomes::factors_on_host) new_backup_bytes_.resize(backup_handles_.size());
    for (index_t slot = 0; slot < backup_panels; ++slot)
        for (index_t i = 0; i < tiles(); ++i) {
            DataHandle& handle = backup_handles_[backup_number(i, slot)];
            if (homes_ == TileHomes::factors_on_host) {
                handle = DataHandle::matrix_without_home<T>(grid_->size(i), widest_own(*grid_));
                continue;
            }
            const count_t new_before = host_heap().new_bytes();
            T* memory = static_cast<T*>(panel_backup_.emplace_back(backup_tile_bytes<T>(*grid_, i)).data());
            new_backup_bytes_[backup_number(i, slot)] = host_heap().new_bytes() - new_before;
            const DenseView<T> view{memory, grid_->size(i), widest_own(*grid_), grid_->size(i)};
            handle = DataHandle::matrix(view);
        }
}

/// In the order of registration, tile columns first. Every tile has a task that waits for this one; of the panel backup some
/// places may have no task, whose handles are gone as soon as they are released.
template <class T>
void TiledFront<T>::provide() {
    for (const Late& late : late_) {
        const count_t new_before = host_heap().new_bytes();
        T* const memory = static_cast<T*>(late.blocks->emplace_back(late.bytes).data());
        new_bytes_[late.tile] = host_heap().new_bytes() - new_before;
        late.view->data = memory;
        late.data->give_memory(memory);
    }
    late_ = {};
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
