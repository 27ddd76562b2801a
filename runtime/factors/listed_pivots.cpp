// SPDX-License-Identifier: BSD-3-Clause
#include "factors/listed_pivots.hpp"

#include <algorithm>

namespace frond::detail {

void ColumnPlaces::add(index_t first, index_t end) {
    if (first == end) return;
    if (!runs_.empty() && runs_.back().end == first)
        runs_.back().end = end;
    else
        runs_.push_back({first, end, columns_});
    columns_ += end - first;
}

void ColumnPlaces::sort() {
    std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
}

count_t ColumnPlaces::place(index_t column) const {
    const auto next =
        std::upper_bound(runs_.begin(), runs_.end(), column, [](index_t c, const Run& run) { return c < run.first; });
    if (next == runs_.begin() || column >= std::prev(next)->end) return -1;
    return std::prev(next)->place + column - std::prev(next)->first;
}

void add_columns_of_rank(const Analysis& analysis, const TreeShare& share, index_t rank, ColumnPlaces& places) {
    for_each_unit(analysis, [&](index_t unit) {
        if (!share.has_shared_tiles(unit) && share.owner(unit) != rank) return;
        index_t tile = 0;
        for_each_block_of_unit(analysis, unit, [&](index_t first, index_t end) {
            if (!share.has_shared_tiles(unit) || share.tile_owner(unit, tile, tile) == rank) places.add(first, end);
            ++tile;
        });
    });
}

}  // namespace frond::detail
