// SPDX-License-Identifier: BSD-3-Clause
// What the tiles of a front take.
#pragma once

#include <algorithm>

#include "engine/tiled_front.hpp"

namespace frond::detail {

constexpr count_t aligned_64(count_t bytes) { return (bytes + 63) / 64 * 64; }

template <class T>
count_t tile_bytes(const TileGrid& grid, index_t i, index_t j) {
    return aligned_64(static_cast<count_t>(grid.size(i)) * grid.size(j) * static_cast<count_t>(sizeof(T)));
}

/// First stored tile row of tile column j.
inline index_t first_stored_row(Factorization kind, index_t j) { return is_symmetric(kind) ? j : 0; }

inline index_t widest_own(const TileGrid& grid) {
    index_t widest = 0;
    for (index_t k = 0; k < grid.own_tiles; ++k) widest = std::max(widest, grid.size(k));
    return widest;
}

template <class T>
count_t backup_tile_bytes(const TileGrid& grid, index_t i) {
    return aligned_64(static_cast<count_t>(grid.size(i)) * widest_own(grid) * static_cast<count_t>(sizeof(T)));
}

}  // namespace frond::detail
