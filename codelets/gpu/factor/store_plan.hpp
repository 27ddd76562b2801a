// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "factor/tree_tables.hpp"
#include "frond/gpu/front_factor_views.hpp"
#include "kernels/level_batch/store_blocks.hpp"

namespace frond::gpu {

/// Where the factors of each level of one device go, and contribution blocks that later ranges use; in host memory, with
/// addresses that kernels know.
template <class T>
struct StorePlan {
    struct Level {
        index_t first = 0, last = 0;  // of blocks
        index_t most_columns = 0;
    };

    /// places: as the tree's fronts.
    StorePlan(const TreeTables<T>& tables, const std::vector<FrontFactorViews<T>>& places);

    std::vector<StoreBlock<T>> blocks;
    std::vector<Level> levels;  // as those of the tree's plan; empty: another device's
    std::vector<StorePivots<T>> pivots;

private:
    void add_front(const TreeTables<T>& tables, const FrontFactorViews<T>& place, index_t k, Level& level);
    void add(const StoreBlock<T>& block, Level& level);
    void add_chunk_part(const Front& front, const DenseFront<T>& square, T* part, Level& level);
    void add_contribution(const DenseFront<T>& square, T* to, Level& level);
    void add_tiles(const DenseFront<T>& square, const FrontFactorViews<T>& place, Level& level);

    Factorization kind_;
    bool symmetric_, indefinite_;
};

}  // namespace frond::gpu
