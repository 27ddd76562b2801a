// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "engine/data_handle.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/analysis/rank_mapping.hpp"
#include "frond/base/host_block.hpp"
#include "frond/codelets/deferral.hpp"
#include "frond/cpu/second_pass.hpp"
#include "frond/cpu/pivot_record.hpp"
#include "frond/gpu/front_factor_views.hpp"

namespace frond::detail {

/// Bytes of a front on tiles, by how long they live.
struct TiledFrontBytes {
    count_t own = 0;  // factor tiles and pivot records: as long as the factors
    count_t contribution = 0;  // until the parent is assembled
    count_t panel_backup = 0;  // see has_panel_backup: until the front is factored

    count_t total() const { return own + contribution + panel_backup; }
};

bool is_symmetric(Factorization kind);
bool has_pivot_records(Factorization kind);
/// The last panels have a copy next to them: L D of LDL^T; of LU, with threshold pivoting, the panel as
/// it was before.
bool has_panel_backup(Factorization kind, bool threshold);

/// Panels that may be under way at once.
inline constexpr index_t backup_panels = 2;

/// Which data of a front have memory of the host.
enum class TileHomes : std::uint8_t {
    all_on_host,  // tiles get their memory from provide(); nothing is moved
    factors_on_host,  // the rest stays where it was computed, and StarPU may move it
};

/// Which tiles of a front are here, where several ranks share it. No table: all.
struct TilesHere {
    const RankGrid* table = nullptr;
    index_t rank = 0;
    HostHeap* memory = nullptr;  // of tiles with places there before they are provided; null: host_heap()

    bool has(index_t i, index_t j) const { return table == nullptr || table->owner(i, j) == rank; }
};

/// The bytes of the panels of a shared front that a rank receives and keeps until the front is factored.
template <class T>
count_t received_panels_bytes(const TileGrid& grid, const ReceivedTiles& received, Factorization kind) {
    count_t bytes = received.scalars(grid) * static_cast<count_t>(sizeof(T));
    for (index_t k = 0; k < grid.own_tiles && has_pivot_records(kind); ++k)
        if (received.records[static_cast<std::size_t>(k)] != 0) bytes += PivotRecord<T>::bytes(grid.size(k));
    return bytes;
}

/// The factors of a front that a task on a device made with many others.
template <class T>
struct MadeFactors {
    gpu::FrontFactorViews<T> places;
    std::vector<unsigned> tile_node, record_node;  // of StarPU, as places' tiles and records
};

/// A front cut in tiles: tile (i, j) is rows cut[i] .. cut[i+1], columns cut[j] .. cut[j+1], a column-major
/// buffer and a StarPU handle of its own. Symmetric kinds hold i >= j only. Tiles with
/// min(i, j) < own_tiles are factors, the others the contribution block.
template <class T>
class TiledFront final : public LateMemory {
public:
    TiledFront(const Front& front, const TileGrid& grid, Factorization kind, bool threshold, TileHomes homes,
               TilesHere here = {});
    /// Handles of factors that were made already, in memory that outlives this.
    TiledFront(const Front& front, const TileGrid& grid, Factorization kind, const MadeFactors<T>& made);

    /// The bytes of a front with threshold pivoting, which are the larger ones.
    static TiledFrontBytes bytes(const TileGrid& grid, Factorization kind, TilesHere here = {});
    static count_t bytes_on_device(const TileGrid& grid, Factorization kind);
    /// Places for the factors alone, from take(bytes); bytes_on_device in all.
    static void place(const TileGrid& grid, Factorization kind, const std::function<void*(count_t)>& take,
                      gpu::FrontFactorViews<T>& placed);

    index_t tiles() const { return grid_->tiles(); }
    index_t own_tiles() const { return grid_->own_tiles; }
    const TileGrid& grid() const { return *grid_; }
    const Front& front() const { return *front_; }
    Factorization kind() const { return kind_; }
    bool stored(index_t i, index_t j) const { return i >= j || !symmetric_; }
    bool is_own(index_t i, index_t j) const { return i < own_tiles() || j < own_tiles(); }
    /// Tiles of other ranks have no memory and no handle, nor have pivot records of their panels. A shared front has no panel
    /// backup.
    bool is_here(index_t i, index_t j) const { return stored(i, j) && here_.has(i, j); }

    void provide() override;
    /// Gives copies in the host's memory to factors that were made already, at `places`: see
    /// DataHandle::place_copy_on_host; copy_of: null where there is none.
    void place_copies_on_host(const gpu::FrontFactorViews<T>& places,
                              const std::function<unsigned char*(const void*)>& copy_of);

    /// The bytes of the tile's memory that its first task is the first to write; null where nobody asks: only
    /// simulations do.
    const count_t* new_bytes(index_t i, index_t j) const {
        return new_bytes_.empty() ? nullptr : &new_bytes_[number(i, j)];
    }

    DenseView<T> tile(index_t i, index_t j) const { return views_[number(i, j)]; }
    DataRef handle(index_t i, index_t j) const { return handles_[number(i, j)].get(); }
    DataRef record_handle(index_t k) const { return record_handles_[at(k)].get(); }
    /// The outcome of a panel: part of its record, or, for L L^T, alone; the latter where tasks factor the front.
    PivotOutcome& outcome(index_t k) { return outcomes_[at(k)]; }
    const PivotOutcome& outcome(index_t k) const { return outcomes_[at(k)]; }
    PivotRecord<T> record(index_t k) const;
    unsigned char* record_memory(index_t k) const { return records_[at(k)]; }
    DataRef backup_handle(index_t i, index_t k) const { return backup_handles_[backup_number(i, k)].get(); }

    /// new_bytes() of the place that backup_handle() names, for the panel that is the first to use it.
    const count_t* new_backup_bytes(index_t i, index_t k) const {
        return new_backup_bytes_.empty() || k >= backup_panels ? nullptr : &new_backup_bytes_[backup_number(i, k)];
    }

    /// Handles of the contribution go when the tasks submitted so far have ended; memory stays.
    void unregister_contribution();
    /// Called after the last task that reads the contribution.
    void free_contribution() noexcept { free_blocks(contribution_); }
    void unregister_panel_backup();
    /// Called after the last task that uses the panel backup.
    void free_panel_backup() noexcept { free_blocks(panel_backup_); }

    /// Pivots that the first pass kept of panel k; all but with threshold pivoting.
    index_t kept(index_t k) const { return outcomes_[at(k)].kept; }
    /// Factors of the columns that the first pass did not eliminate; none in most fronts.
    cpu::SecondPass<T>& second_pass() { return second_pass_; }
    const cpu::SecondPass<T>& second_pass() const { return second_pass_; }
    bool has_second_pass() const { return second_pass_.rows() + second_pass_.cols() > 0; }
    /// Valid from register_second_pass() on.
    DataRef second_pass_handle() const { return second_pass_handle_.get(); }
    void register_second_pass() { second_pass_handle_ = DataHandle::object(second_pass_); }

private:
    static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }
    std::size_t number(index_t i, index_t j) const { return at(i) + at(j) * at(tiles()); }
    std::size_t backup_number(index_t i, index_t k) const { return number(i, k % backup_panels); }
    /// Data whose memory is taken by provide().
    struct Late {
        std::shared_ptr<TaskData> data;
        count_t bytes = 0;
        std::vector<HostBlock>* blocks = nullptr;  // where it is kept
        DenseView<T>* view = nullptr;
        std::size_t tile = 0;  // its number
    };

    void begin_outcomes();
    void place_tile(index_t i, index_t j);
    static void free_blocks(std::vector<HostBlock>& blocks) noexcept {
        for (HostBlock& block : blocks) block.release();
    }
    void place_tiles();
    void place_records();
    void register_outcomes();
    void place_panel_backup();

    const Front* front_;
    const TileGrid* grid_;
    Factorization kind_;
    bool symmetric_;
    TilesHere here_;
    TileHomes homes_ = TileHomes::all_on_host;
    // A block a tile: pieces of like size fill each other's holes, whole fronts would not.
    std::vector<HostBlock> own_, contribution_, panel_backup_;
    std::vector<DenseView<T>> views_;
    std::vector<Late> late_;
    std::vector<count_t> new_bytes_;  // [tiles, tiles]
    std::vector<count_t> new_backup_bytes_;  // [tiles, backup_panels]
    std::vector<PivotOutcome> outcomes_;  // [own tiles]
    cpu::SecondPass<T> second_pass_;
    std::vector<unsigned char*> records_;
    // These follow the memory, so that they are unregistered before it goes.
    std::vector<DataHandle> handles_, record_handles_, backup_handles_;
    DataHandle second_pass_handle_;
};

}  // namespace frond::detail
