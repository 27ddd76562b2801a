// SPDX-License-Identifier: BSD-3-Clause
#include "factor/shared_front/column_cuts.hpp"

#include <algorithm>

#include "frond/base/vector_index.hpp"
#include "frond/gpu/devices.hpp"

namespace frond::gpu {
namespace {

/// The least width of a block in fronts that all devices do: with fewer columns a block takes more time for its tasks,
/// with more of them devices wait longer for its elimination.
constexpr index_t least_block_columns = 768;

}  // namespace

std::vector<index_t> column_blocks(const Analysis& analysis, index_t front) {
    const TileGrid& grid = analysis.mapping.grids[at(analysis.mapping.grid_of_front[at(front)])];
    const index_t least = sharing_is_forced() ? 1 : least_block_columns;
    std::vector<index_t> cut{0};
    for (index_t t = 1; t <= grid.tiles(); ++t)
        if (grid.cut[at(t)] - cut.back() >= least || t == grid.own_tiles || t == grid.tiles())
            cut.push_back(grid.cut[at(t)]);
    return cut;
}

index_t first_of_tail(const Analysis& analysis, index_t front, const std::vector<index_t>& cut) {
    const Front& f = analysis.tree.fronts[at(front)];
    const index_t most = sharing_is_forced() ? f.npiv / 2 : most_tail_columns;
    const auto first = std::lower_bound(cut.begin(), cut.end(), f.npiv - most);
    return f.ncb() > 0 ? f.npiv : *first;
}

}  // namespace frond::gpu
