// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"

namespace frond::gpu {

/// Where the factors of one front lie, in device memory.
template <class T>
struct PlacedFront {
    /// In a subtree: the front's part of the chunk, as front_panels lays it out. Null: on tiles.
    T* part = nullptr;
    /// On tiles: data and leading dimension of tile (i, j) at i + j * grid->tiles(), null where none is
    /// stored or it is no factor; the pivot record of own tile k, null for L L^T.
    struct Tile {
        T* data = nullptr;
        count_t ld = 0;

        bool operator==(const Tile&) const = default;
    };
    const TileGrid* grid = nullptr;
    std::vector<Tile> tiles;
    std::vector<unsigned char*> records;

    bool operator==(const PlacedFront&) const = default;
};

}  // namespace frond::gpu
