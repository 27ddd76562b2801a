// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "factor/tree_tables.hpp"
#include "frond/base/typed_vector.hpp"
#include "frond/gpu/front_factor_views.hpp"
#include "kernels/level_batch/store_blocks.hpp"

namespace frond::gpu {

/// Says where the factors of each level of one device, and of each strip, go, and contribution blocks that later
/// pieces use; in host memory, relative to the parts.
template <class T>
struct StorePlan {
    /// Blocks for the host that no later step of a front changes: those of a tile column (for L U also the row) whose
    /// steps are done.
    struct Early {
        index_t front = 0, end = 0;  // of the tree's plan; of the columns
        index_t first = 0, last = 0;  // of blocks
        count_t scalars = 0;  // of these

        bool operator==(const Early&) const = default;
    };
    struct Level {
        index_t first = 0, first_to_host = 0, first_late = 0, last = 0;  // of blocks
        index_t most_columns = 0;  // of those that stay on the device
        count_t late_scalars = 0;  // of [first_late, last)
        std::vector<Early> early;  // [first_to_host, first_late)

        bool operator==(const Level&) const = default;
    };

    /// places: as the tree's fronts. is_on_host: as TreeRun's.
    StorePlan(const TreeTables<T>& tables, const std::vector<FrontFactorViews<T>>& places,
              const TypedVector<PartNumber, char>& is_on_host);

    std::vector<StoreBlock<T>> blocks;
    std::vector<Level> levels, strips;  // as those of the tree's plan; empty: another device's
    std::vector<StorePivots<T>> pivots;
    std::vector<index_t> pivots_begin;  // [pieces + 1]
    bool has_blocks_to_host = false;

private:
    void add_level(const TreeTables<T>& tables, const std::vector<FrontFactorViews<T>>& places, index_t level);
    void begin(Level& level) const;
    void end(Level& level);
    void add_columns(const TreeTables<T>& tables, const FrontFactorViews<T>& place, index_t f,
                     const DenseFront<T>& there, Level& level);
    void add_pivots(const Front& front, const FrontFactorViews<T>& place, const DenseFront<T>& square);
    void add(const StoreBlock<T>& block, Level& level);
    void add_early(Level& level);
    void add_chunk_part(const Front& front, const DenseFront<T>& there, T* part, Level& level);
    void add_contribution(const DenseFront<T>& there, T* to, Level& level);
    void add_tiles(const DenseFront<T>& there, const FrontFactorViews<T>& place, Level& level);

    Factorization kind_;
    bool symmetric_, indefinite_;
    const TypedVector<PartNumber, char>& is_on_host_;
    /// early: without blocks; end 0: not before the level's end.
    struct ToHost {
        StoreBlock<T> block;
        Early early;
    };
    std::vector<ToHost> to_host_;  // of the level
    Early early_;  // of the blocks that are added
};

}  // namespace frond::gpu
