// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "frond/analysis/analysis.hpp"

namespace frond::gpu {

/// Where the factors of one front lie, in device memory.
template <class T>
struct FrontFactorViews {
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

    bool operator==(const FrontFactorViews&) const = default;
};

/// The views of all fronts of an analysis, in the order of tree.fronts.
template <class T>
using TreeFactorViews = std::vector<FrontFactorViews<T>>;

/// Pointers that hold wherever the parts of the factors lie: the number of the part is in the upper 16 bits of a
/// pointer, which are 0 in all addresses of memory, and below it the distance from the part's beginning. Part 0 begins
/// at address 0, so that plain addresses stay as they are.
inline constexpr int part_shift = 48;
enum class PartNumber : index_t {};

/// Stands for the beginning of a part, 1 ...
inline unsigned char* relative_beginning(PartNumber number) {
    return reinterpret_cast<unsigned char*>(static_cast<std::uintptr_t>(number) << part_shift);
}

/// The number of the part that the pointer is relative to.
inline PartNumber part_number(const void* place) {
    return static_cast<PartNumber>(reinterpret_cast<std::uintptr_t>(place) >> part_shift);
}

/// The bytes from the part's beginning to the pointer.
inline count_t distance_in_part(const void* place) {
    constexpr std::uintptr_t distance = (std::uintptr_t{1} << part_shift) - 1;
    return static_cast<count_t>(reinterpret_cast<std::uintptr_t>(place) & distance);
}

/// The address that the pointer stands for if the part begins at `begin`.
template <class S>
S* in_part(S* place, unsigned char* begin) {
    return reinterpret_cast<S*>(begin + distance_in_part(place));
}

}  // namespace frond::gpu
