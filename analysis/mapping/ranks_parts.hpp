// SPDX-License-Identifier: BSD-3-Clause
// Parts of map_ranks, for_each_message and predict_ranks. Private to analysis/.
#pragma once

#include <map>
#include <utility>

#include "frond/analysis/rank_mapping.hpp"

namespace frond {

/// rows x cols <= ranks with rows <= cols <= 3 rows and as many ranks as can be, two and more; {1, 1} for one rank.
RankGrid grid_for(index_t first, index_t ranks);

/// As many of `most` ranks as factor a front the quickest by its work, its panels and their messages.
index_t quickest_ranks(const Front& front, double flops, index_t most, const RankMachine& machine);

/// The tile of each local row of a front.
std::vector<index_t> tile_of_row(const TileGrid& tiles);

/// Scalars of a child's contribution block that go from (first) owners in the child to (second) owners in its parent.
using Exchange = std::map<std::pair<index_t, index_t>, count_t>;
Exchange exchange_of(const AssemblyTree& tree, const RankMapping& mapping, Factorization kind, index_t child);

}  // namespace frond
