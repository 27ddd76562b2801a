// SPDX-License-Identifier: BSD-3-Clause
// Entries of a dense matrix on their way to the ranks that have the tiles of its front.
#pragma once

#include "system/dense_parts/dense_parts.hpp"
#include "frond/analysis/analysis.hpp"
#include "frond/cpu/dense_view.hpp"

namespace frond::detail {

/// Rows and columns of the front.
struct TilePlace {
    IndexRange rows, columns;
    bool lower = false;  // of a symmetric kind: entries on and below the diagonal alone
};

/// How many of the entries that a tile reads a part has.
count_t entries_of_tile(const DenseParts& parts, const DenseParts::Part& part, const TilePlace& tile);

/// Puts them behind one another, in an order that both sides know; returns the end.
template <class T>
T* pack_tile(const DensePart<T>& from, const TilePlace& tile, T* to);

/// Into the tile, scaled (no scaling: empty); an empty tile: past them. Returns the end of what was read. What no entry is
/// for, above the diagonal of a symmetric kind, is not written.
template <class T>
const T* unpack_tile(const DenseParts& parts, const DenseParts::Part& giver, const TilePlace& place,
                     const Scaling& scaling, const T* from, DenseView<T> tile);

}  // namespace frond::detail
