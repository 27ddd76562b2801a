// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "handles/data_handle.hpp"
#include "handles/factor_room.hpp"
#include "frond/analysis/assembly_tree.hpp"
#include "frond/base/host_block.hpp"
#include "frond/codelets/pivot_record.hpp"
#include "frond/cpu/second_pass.hpp"

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
bool has_block_diagonal(Factorization kind);  // D of LDL^T, LDL^H
/// The last panels have a copy beside them: L D of LDL^T; of LU, with threshold pivoting, the panel as
/// it was before.
bool has_panel_backup(Factorization kind, bool threshold);

/// Panels that may be under way at once.
inline constexpr index_t backup_panels = 2;

/// Which data of a front have handles, and which of those memory of the host.
enum class TileHomes : std::uint8_t {
    all_on_host,
    factors_on_host,  // the rest stays where it was computed, and StarPU may move it
    // There are no other data: the front is factored outside StarPU.
    only_factors_on_device,
    only_factors_on_host,
};

/// A front cut in tiles: tile (i, j) is rows cut[i] .. cut[i+1], columns cut[j] .. cut[j+1], a column-major
/// buffer and a StarPU handle of its own. Symmetric kinds hold i >= j only. Tiles with
/// min(i, j) < own_tiles are factors, the others the contribution block.
template <class T>
class TiledFront {
public:
    /// heap: for what has its home on the host. room: for only_factors_on_device, with bytes_on_device of it left. Both
    /// must outlive this.
    TiledFront(const Front& front, const TileGrid& grid, Factorization kind, bool threshold, TileHomes homes,
               HostHeap& heap = host_heap(), FactorRoom* room = nullptr);

    /// With threshold pivoting, the larger of the two.
    static TiledFrontBytes bytes(const TileGrid& grid, Factorization kind);
    static count_t bytes_on_device(const TileGrid& grid, Factorization kind);
    /// Takes room for the factors alone, as the constructor does with only_factors_on_device.
    static void place(const TileGrid& grid, Factorization kind, FactorRoom& room, gpu::FrontFactorViews<T>& placed);

    index_t tiles() const { return grid_->tiles(); }
    index_t own_tiles() const { return grid_->own_tiles; }
    const TileGrid& grid() const { return *grid_; }
    const Front& front() const { return *front_; }
    Factorization kind() const { return kind_; }
    bool stored(index_t i, index_t j) const { return i >= j || !symmetric_; }
    bool is_own(index_t i, index_t j) const { return i < own_tiles() || j < own_tiles(); }

    DenseView<T> tile(index_t i, index_t j) const { return views_[number(i, j)]; }
    starpu_data_handle_t handle(index_t i, index_t j) const { return handles_[number(i, j)].get(); }
    starpu_data_handle_t record_handle(index_t k) const { return record_handles_[at(k)].get(); }
    PivotRecord<T> record(index_t k) const;
    unsigned char* record_memory(index_t k) const { return records_[at(k)]; }
    starpu_data_handle_t backup_handle(index_t i, index_t k) const {
        return backup_handles_[at(i) + at(k % backup_panels) * at(tiles())].get();
    }

    /// Handles of the contribution go when the tasks submitted so far have ended; memory stays.
    void unregister_contribution();
    /// After the last task that reads the contribution.
    void free_contribution() noexcept { free_blocks(contribution_); }
    bool with_panel_backup() const { return !backup_handles_.empty(); }
    void unregister_panel_backup();
    /// After the last task that uses the panel backup.
    void free_panel_backup() noexcept { free_blocks(panel_backup_); }

    /// Pivots that the first pass kept of panel k; all but with threshold pivoting.
    index_t kept(index_t k) const { return kept_[at(k)]; }
    index_t* kept_of(index_t k) { return &kept_[at(k)]; }
    /// Factors of the columns that the first pass did not eliminate; none in most fronts.
    cpu::SecondPass<T>& second_pass() { return second_pass_; }
    const cpu::SecondPass<T>& second_pass() const { return second_pass_; }
    bool has_second_pass() const { return second_pass_.rows() + second_pass_.cols() > 0; }

private:
    static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }
    std::size_t number(index_t i, index_t j) const { return at(i) + at(j) * at(tiles()); }
    void place_tile(index_t i, index_t j);
    void place_tile_on_device(index_t i, index_t j);
    static void free_blocks(std::vector<HostBlock>& blocks) noexcept {
        for (HostBlock& block : blocks) block.release();
    }
    void place_tiles();
    void place_records();
    void place_panel_backup();

    const Front* front_;
    const TileGrid* grid_;
    Factorization kind_;
    bool symmetric_;
    TileHomes homes_;
    HostHeap* heap_;
    FactorRoom* room_;
    // A block a tile: pieces of like size fill each other's holes, whole fronts would not.
    std::vector<HostBlock> own_, contribution_, panel_backup_;
    std::vector<DenseView<T>> views_;
    std::vector<index_t> kept_;
    cpu::SecondPass<T> second_pass_;
    std::vector<unsigned char*> records_;
    // After the memory, so that they are unregistered before it goes.
    std::vector<DataHandle> handles_, record_handles_, backup_handles_;
};

}  // namespace frond::detail
