// SPDX-License-Identifier: BSD-3-Clause
// Parts of map_ranks, for_each_message and predict_ranks. Private to analysis/.
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "frond/analysis/rank_mapping.hpp"

namespace frond {

class RankTables;

/// Numbers of ranks, `most` at most, for a front by the time that they take for its work, its panels and their messages,
/// the quickest first. There is a table of each.
std::vector<index_t> quickest_ranks(const Front& front, double flops, index_t most, const RankMachine& machine,
                                    const MessageRule& rule, const RankTables& tables);
/// What the panels of a front add to its work over the rate of its ranks, since they come one after the other.
double seconds_of_panels(const Front& front, index_t ranks, double rate, const RankMachine& machine,
                         count_t scalar_bytes);

/// For each row the result has the column that it takes: no two are the same, with the least sum of costs[row * columns
/// + column]. O(rows^2 columns).
std::vector<index_t> assign(const std::vector<double>& costs, index_t rows, index_t columns);

/// Cuts of all fronts that exchange messages: own columns in tiles for `ranks` ranks, contribution rows where the
/// parent's tiles are cut, so that a tile of the one is a tile of the other.
std::vector<TileGrid> cut_shared_fronts(const AssemblyTree& tree, const RankMapping& mapping,
                                        const std::vector<index_t>& ranks);

/// Scalars of a child's contribution block that go from (first) owners in the child to (second) owners in its parent.
/// O(tiles of the child + of the parent)^2 log ranks.
using Exchange = std::map<std::pair<index_t, index_t>, count_t>;
Exchange exchange_between(const AssemblyTree& tree, const std::vector<TileGrid>& tiles, Factorization kind,
                          index_t child, const RankGrid& from, const RankGrid& to);

/// Ranks other than its owner that assemble a part of a tile of a child's contribution block, ascending: by (column, row)
/// of the tile. O(tiles of the child + of the parent)^2 log tiles.
using TileReaders = std::map<std::pair<index_t, index_t>, std::vector<index_t>>;
TileReaders readers_of_tiles(const AssemblyTree& tree, const std::vector<TileGrid>& tiles, Factorization kind,
                             index_t child, const RankGrid& from, const RankGrid& to);

/// The predicted peak of a rank passes its budget. @throws MemoryBudgetExceeded
[[noreturn]] void refuse_peak(index_t rank, index_t ranks, count_t needed_bytes, count_t budget_bytes);

/// The rank that eliminates columns that failed: the one that leads.
index_t failed_home(const RankMapping& mapping, index_t front);

/// L D L^T: D L^T travels as U does, in addition to L.
bool sends_scaled_tiles(const MessageRule& rule);

/// The messages between the ranks of one front.
void for_each_message_within(const RankMapping& mapping, const MessageRule& rule, index_t front,
                             const std::function<void(const Message&)>& visit);

/// What a rank has of a front.
struct FrontShare {
    double work = 0;  // operations, up to a factor that is the same for all
    count_t factors = 0, contribution = 0;  // scalars
};
/// [ranks of the grid's table, the largest number + 1]
std::vector<FrontShare> shares_of(const RankGrid& grid, const TileGrid& tiles, Factorization kind);

}  // namespace frond
