// SPDX-License-Identifier: BSD-3-Clause
// Parts of map_tree. Private to analysis/.
#pragma once

#include "frond/analysis/assembly_tree.hpp"
#include "frond/analysis/options.hpp"

#include <cstdint>
#include <vector>

namespace frond {

/// A front that several ranks may share is at least of this order: below, messages take longer than sharing saves.
constexpr index_t least_shared_order = 1000;

/// Subtrees that become one task each, ascending; fronts in none of them go onto tiles.
std::vector<Subtree> choose_subtrees(const AssemblyTree& tree, const CostModel& cost, Factorization kind,
                                     index_t workers, index_t gpus, const TreeCut& cut = {});

/// Peak of the contribution stack of fronts first .. root in scalars, the block of the root included.
count_t stack_peak(const AssemblyTree& tree, index_t first, index_t root);

/// Order of the tiles of a front when the caller does not give one.
index_t tile_size_of(index_t nfront, index_t workers, index_t gpus, const TreeCut& cut = {});

/// Cuts of one front into tiles of about tile_size; pair_with_next may be empty. With the parent's tiles, contribution rows
/// are cut where contribution_segments says.
TileGrid cut_front(const AssemblyTree& tree, index_t front, index_t tile_size,
                   const std::vector<std::uint8_t>& pair_with_next, const TileGrid* parent = nullptr);

/// The part of an analysis that a rank has lacks rows of fronts whose block stays with another rank: no message needs cuts.
/// While a distributed analysis sends the tree to the ranks, all fronts within subtrees lack them.
inline bool has_rows(const AssemblyTree& tree, const Front& front) {
    return front.rows_begin + front.ncb() <= static_cast<count_t>(tree.relative_rows.size());
}

/// Contribution rows of a front, cut where the tiles of its parent are: a tile of the block then goes into one tile, which
/// one rank has. No segment has less than a third of tile_size rows, but the last one, which may have a quarter.
/// 0 .. ncb, ascending; of rows that are not known one segment. O(ncb + tiles of the parent).
std::vector<index_t> contribution_segments(const AssemblyTree& tree, const Front& front, const TileGrid& parent,
                                           index_t tile_size);

/// The memory that the submitter admits fronts within, in scalars.
count_t parallel_peak(const AssemblyTree& tree, const Mapping& mapping, Factorization kind);

}  // namespace frond
