// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/analysis/rank_mapping.hpp"
#include "frond/base/host_block.hpp"
#include "engine/data_handle.hpp"

namespace frond::detail {

/// Tiles of a contribution block that other ranks have, until the parent is assembled.
template <class T>
class ReceivedBlock {
public:
    /// grid: of the child's front; messages: that bring the tiles. @throws std::bad_alloc
    ReceivedBlock(const TileGrid& grid, const std::vector<Message>& messages, HostHeap& heap);

    const TileGrid& grid() const { return grid_; }
    /// Null: the tile does not come.
    DataRef handle(index_t i, index_t j) const { return handles_[number(i, j)].get(); }
    void unregister() {
        for (DataHandle& handle : handles_) handle.release_when_unused();
    }
    void free() noexcept {
        for (HostBlock& block : blocks_) block.release();
    }

private:
    std::size_t number(index_t i, index_t j) const {
        return static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(grid_.tiles());
    }

    const TileGrid& grid_;
    std::vector<HostBlock> blocks_;
    std::vector<DataHandle> handles_;  // after the memory
};

}  // namespace frond::detail
