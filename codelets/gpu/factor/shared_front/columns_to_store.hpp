// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "frond/cpu/pivot_record.hpp"
#include "frond/gpu/front_factor_views.hpp"
#include "kernels/level_batch/store_blocks.hpp"

namespace frond::gpu {

/// Which factors of a front on tiles are in blocks of its columns, and where they go.
template <class T>
class ColumnsToStore {
public:
    ColumnsToStore(Factorization kind, const FrontFactorViews<T>& place)
        : symmetric_(kind != Factorization::lu),
          indefinite_(has_block_diagonal(kind)),
          has_records_(kind != Factorization::llt),
          place_(place) {}

    /// Whole tiles.
    void add(const DenseFront<T>& block) {
        const TileGrid& grid = *place_.grid;
        for (index_t j = 0; j < grid.tiles(); ++j) {
            const index_t first = grid.cut[static_cast<std::size_t>(j)];
            if (first < block.first || first >= block.columns()) continue;
            for (index_t i = 0; i < grid.tiles(); ++i) add_tile(block, i, j);
            if (has_records_ && j < grid.own_tiles) add_pivots(block, j);
        }
    }

    std::vector<StoreBlock<T>> blocks;
    index_t most_columns = 0;
    std::vector<StorePivots<T>> pivots;

private:
    void add_tile(const DenseFront<T>& block, index_t i, index_t j) {
        const TileGrid& grid = *place_.grid;
        const auto& tile = place_.tiles[static_cast<std::size_t>(i) +
                                        static_cast<std::size_t>(j) * static_cast<std::size_t>(grid.tiles())];
        if (tile.data == nullptr || grid.size(i) == 0) return;
        const T* const from =
            block.data + grid.cut[static_cast<std::size_t>(i)] + grid.cut[static_cast<std::size_t>(j)] * block.ld;
        blocks.push_back({from, tile.data, block.ld, tile.ld, grid.size(i), grid.size(j), symmetric_ && i == j});
        most_columns = std::max(most_columns, grid.size(j));
    }

    void add_pivots(const DenseFront<T>& block, index_t k) {
        const TileGrid& grid = *place_.grid;
        const index_t first = grid.cut[static_cast<std::size_t>(k)], count = grid.size(k);
        const PivotRecord<T> record = PivotRecord<T>::at(place_.records[static_cast<std::size_t>(k)], count);
        pivots.push_back({indefinite_ ? block.pivots + 2 * static_cast<count_t>(first) : nullptr,
                          indefinite_ ? record.pivots : nullptr, block.perm + first, record.perm, first, count,
                          record.replaced});
    }

    bool symmetric_, indefinite_, has_records_;
    const FrontFactorViews<T>& place_;
};

}  // namespace frond::gpu
