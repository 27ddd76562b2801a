// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fronts/exchange/received_panels.hpp"

#include <cstring>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "engine/insert_task.hpp"
#include "engine/tiled_front.hpp"
#include "tasks/messages/blocks.hpp"

namespace frond::detail {
namespace {

template <class T>
HostBlock memory_of(const TileGrid& grid, index_t line, index_t columns, HostHeap& heap) {
    if (columns == 0) return {};
    return HostBlock(count_t{grid.size(line)} * columns * static_cast<count_t>(sizeof(T)), heap);
}

}  // namespace

template <class T>
ReceivedPanels<T>::ReceivedPanels(const TileGrid& grid, const ReceivedTiles& received, Factorization kind,
                                  HostHeap& heap)
    : grid_(grid),
      symmetric_(is_symmetric(kind)),
      rows_(at(grid.tiles()) * received_panels),
      columns_(rows_.size()),
      backups_(rows_.size()),
      outcomes_(at(grid.own_tiles)),
      records_(at(grid.own_tiles)) {
    for (index_t t = 0; t < grid.tiles(); ++t)
        for (index_t k = 0; k < received_panels; ++k) {
            const std::size_t place = ReceivedTiles::place(t, k);
            rows_[place].memory = memory_of<T>(grid, t, received.rows[place], heap);
            columns_[place].memory = memory_of<T>(grid, t, received.columns[place], heap);
            backups_[place].memory = memory_of<T>(grid, t, received.backups[place], heap);
        }
    for (index_t k = 0; k < grid.own_tiles && has_pivot_records(kind); ++k) {
        if (received.records[at(k)] == 0) continue;
        const count_t bytes = PivotRecord<T>::bytes(grid.size(k));
        HostBlock& memory = record_memory_.emplace_back(bytes);
        std::memset(memory.data(), 0,
                    static_cast<std::size_t>(bytes));  // a rank that has stopped sends none, but tasks read it
        records_[at(k)] =
            DataHandle::record<T>(static_cast<unsigned char*>(memory.data()), grid.size(k), outcomes_[at(k)]);
    }
}

template <class T>
void ReceivedPanels<T>::open(Job& job, Place& place, index_t rows, index_t cols, const TaskLabel& label, int priority) {
    DataHandle tile = DataHandle::matrix(DenseView<T>{static_cast<T*>(place.memory.data()), rows, cols, rows});
    if (place.tile) {
        OpenBlockArguments a;
        a.label = label;
        const Access accesses[] = {{place.tile.get(), STARPU_RW}, {tile.get(), STARPU_W}};
        insert_task(job, open_block_codelet(), a, accesses, priority);
        place.tile.release_when_unused();
    }
    place.tile = std::move(tile);
}

template <class T>
void ReceivedPanels<T>::open_lower(Job& job, index_t i, index_t k, const TaskLabel& label, int priority) {
    open(job, rows_[ReceivedTiles::place(i, k)], grid_.size(i), grid_.size(k), label, priority);
}

template <class T>
void ReceivedPanels<T>::open_upper(Job& job, index_t k, index_t j, const TaskLabel& label, int priority) {
    const index_t lines = grid_.size(j), width = grid_.size(k);
    open(job, columns_[ReceivedTiles::place(j, k)], symmetric_ ? lines : width, symmetric_ ? width : lines, label,
         priority);
}

template <class T>
void ReceivedPanels<T>::open_backup(Job& job, index_t i, index_t k, const TaskLabel& label, int priority) {
    open(job, backups_[ReceivedTiles::place(i, k)], grid_.size(i), grid_.size(k), label, priority);
}

template <class T>
void ReceivedPanels<T>::unregister() {
    for (Places* places : {&rows_, &columns_, &backups_})
        for (Place& place : *places) place.tile.release_when_unused();
    for (DataHandle& record : records_) record.release_when_unused();
}

template <class T>
void ReceivedPanels<T>::free() noexcept {
    for (Places* places : {&rows_, &columns_, &backups_})
        for (Place& place : *places) place.memory.release();
    for (HostBlock& memory : record_memory_) memory.release();
}

#define FROND_INSTANTIATE(T) template class ReceivedPanels<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
