// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "frond/analysis/rank_mapping.hpp"
#include "frond/base/host_block.hpp"
#include "frond/codelets/job.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/pivot_record.hpp"
#include "engine/data_handle.hpp"

namespace frond::detail {

/// Tiles of the panels of a shared front that come from other ranks, and, of L D L^T, L D of own tiles, which goes to others:
/// for each tile row (L and diagonal tiles) and tile column (U, or L D, whose rows it has as rows) memory for received_panels of them, one after the other in the same place. Each tile is data of its own, of its
/// size; an empty task orders a tile after those that use the one before in its buffer. Pivot records stay until the
/// front is factored.
template <class T>
class ReceivedPanels {
public:
    /// Takes received_panels_bytes, tiles from `heap`. @throws std::bad_alloc
    ReceivedPanels(const TileGrid& grid, const ReceivedTiles& received, Factorization kind, HostHeap& heap);
    /// Called before tile (i, k) of L, i >= k, is received, or (k, j) of U or D L^T; then it is the current tile of its
    /// buffer.
    /// @throws as insert_task
    void open_lower(Job& job, index_t i, index_t k, const TaskLabel& label, int priority);
    void open_upper(Job& job, index_t k, index_t j, const TaskLabel& label, int priority);
    /// Called before a copy of own tile (i, k) of L is made (L U with threshold pivoting).
    void open_backup(Job& job, index_t i, index_t k, const TaskLabel& label, int priority);
    /// @pre it was opened, and no later one in its buffer
    DataRef lower(index_t i, index_t k) const { return place(rows_, i, k).tile.get(); }
    DataRef upper(index_t k, index_t j) const { return place(columns_, j, k).tile.get(); }
    DataRef backup(index_t i, index_t k) const { return place(backups_, i, k).tile.get(); }
    DataRef record(index_t k) const { return records_[static_cast<std::size_t>(k)].get(); }

    /// Handles go when the tasks and messages submitted so far have ended; memory stays.
    void unregister();
    void free() noexcept;

private:
    struct Place {
        HostBlock memory;
        DataHandle tile;
    };
    using Places = std::vector<Place>;  // [tiles * received_panels]

    static const Place& place(const Places& places, index_t line, index_t k) {
        return places[ReceivedTiles::place(line, k)];
    }
    void open(Job& job, Place& place, index_t rows, index_t cols, const TaskLabel& label, int priority);

    const TileGrid& grid_;
    bool symmetric_;
    Places rows_, columns_, backups_;
    std::vector<HostBlock> record_memory_;
    std::vector<PivotOutcome> outcomes_;  // [own tiles] counted where the diagonal tile is
    std::vector<DataHandle> records_;  // [own tiles]; after what they stand for
};

}  // namespace frond::detail
