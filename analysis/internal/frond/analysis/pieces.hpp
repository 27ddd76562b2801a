// SPDX-License-Identifier: BSD-3-Clause
// How a tree is cut into pieces: for cards, for cores beside them, for ranks, and for one core.
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/assembly_tree.hpp"
#include "frond/analysis/options.hpp"
#include "frond/analysis/rank_mapping.hpp"
#include "frond/base/types.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace frond {

/// What one of several equal devices takes for fronts.
struct ShareCosts {
    double flops_per_second = 1;
    double front_seconds = 0;  // whatever its size, of one on a path to the root
    double pivot_seconds = 0;  // the same for each of its pivots
    double moved_bytes_per_second = 1;  // between devices
    count_t scalar_bytes = 8;
    double bytes_per_second = std::numeric_limits<double>::infinity();  // of the fronts as squares
    /// Numbers about fronts that all devices do together, by blocks of columns in turn: their least order; the seconds
    /// that each block of pivots takes, whatever its size, and its elimination alone, of which only one goes on at a
    /// time.
    index_t least_order_by_all = 1;
    index_t block_columns = 1024;
    double block_seconds = 0;
    double panel_flops_per_second = std::numeric_limits<double>::infinity();
    index_t tail_columns = 0;  // of a root, the last ones, which one device does
    double piece_seconds =
        0;  // of a piece, whatever its size: a shared tree has at least one more on its path to the root
};

/// A whole subtree, or one front alone, and the device that does it.
struct SharedPart {
    static constexpr index_t by_all = -2;  // in place of a device: all of them do one front together

    index_t root = 0;
    bool whole = true;
    index_t device = 0;
};

/// Children's parts come before their parents'; each device does its own in this order.
struct TreeShares {
    std::vector<SharedPart> parts;
    double seconds = 0;  // estimated
};

/// Shares a tree among devices: subtrees side by side, then the fronts above them, each where the child that ends
/// last is done. Subtrees are opened, the costliest first, as long as that may shorten the whole (Geist, Ng: Task
/// scheduling for parallel sparse Cholesky factorization, 1989). They are assigned the costliest first, and as blocks
/// of neighbours, of which a device does the levels side by side and fronts above them, too; the quicker one counts.
/// One part for each root on device 0 where several devices are hardly quicker than one. Factors stay on the device
/// that makes them. may_be_by_all: [fronts], or empty for none; of these, fronts of some order or more all of whose
/// ancestors are, too, are done by all devices where that is expected to be quicker, if each device has a subtree as
/// well. Several orders are tried. O(devices (fronts + devices log devices)).
TreeShares share_tree(const AssemblyTree& tree, const std::vector<double>& front_flops, index_t devices,
                      const ShareCosts& costs, const std::vector<char>& may_be_by_all = {});

/// What one task does: subtrees side by side, or one front above other pieces.
struct Piece {
    index_t first_front = 0, last_front = 0;  // last: inclusive
    index_t device = 0;  // as of SharedPart
};

/// The work memory of a device that a piece may take.
struct PieceLimit {
    count_t most_scalars = std::numeric_limits<count_t>::max();  // no limit
    std::function<count_t(index_t first_front, index_t last_front)> scalars;  // of such a piece; only with a limit
};

/// The parts of `shares` as pieces, children's before their parents'. Parts of whole subtrees that take more than the
/// limit are cut into subtrees that do not and single fronts above them; subtrees side by side of one device are one
/// piece while they take no more than the limit together. A single front is a piece whatever it takes, and so is one
/// that all devices do, then by several tasks.
/// O(fronts + pieces x what limit.scalars takes).
std::vector<Piece> cut_into_pieces(const AssemblyTree& tree, const TreeShares& shares, const PieceLimit& limit);

/// One device and the cores of its machine, as far as they factor the subtrees of a mapping; flops in those of the
/// scalar.
struct DeviceAndCores {
    index_t cores = 0;
    double core_flops_per_second = 1, core_bytes_per_second = 1;  // bytes: of factors
    double device_flops_per_second = 1, device_bytes_per_second = 1;  // on many small fronts; bytes: of fronts
    double level_seconds = 0, pivot_seconds = 0;  // of a level on the device, and for each pivot of its longest front
    double link_bytes_per_second = 1;  // from the host to the device
    double piece_seconds = 0;  // what one more piece costs whoever submits it
    count_t scalar_bytes = 8;
    double worthwhile = 0.97;  // the whole has to take so much less of its time, since all this is an estimate
};

/// Which subtrees of a mapping cores do while a device does the rest. The device does all other fronts level by level,
/// those at `depth` and below it (roots: 0) before it waits for cores.
struct CorePieces {
    std::vector<index_t> subtrees;  // of the mapping, ascending; empty: the device does all
    index_t depth = 0;
    double seconds = 0, seconds_without = 0;  // estimated, of the tree, with these subtrees and with none
};

/// For each depth, subtrees whose roots are not below it are given to cores, those that spare the device most first, as far
/// as the cores end before the device's levels from that depth down do. The best depth counts; none where the whole is
/// hardly quicker for it. O(depths x (fronts + subtrees)).
CorePieces choose_core_pieces(const AssemblyTree& tree, const Mapping& mapping, const std::vector<double>& front_flops,
                              const DeviceAndCores& machine);

/// Operations of the longest chain of tasks, which follow one another however many cores there are: of a subtree all of
/// them; of a front on tiles, for each panel its diagonal tile, the tile below it, and the update of the next diagonal
/// tile; children come before their parents. Less than what really follows, since assembly is not counted. O(fronts + tiles).
double task_chain_flops(const AssemblyTree& tree, const Mapping& mapping, Factorization kind);

/// The branches of a rank: the largest subtrees of an assembly tree of which it has all fronts, in the order of the tree.
struct Branches {
    /// The fronts of the branches and their units, as an analysis by itself, whose columns and entries are
    /// numbered anew, in the same order. The root of a branch has no parent there; where it has one in the tree, it leaves a
    /// contribution block, and relative_rows says where its rows are in that parent. Null: there are none.
    /// The forest knows nothing of the matrix: no rows, orders or positions of entries in it; entry_map.source counts
    /// the entries.
    std::shared_ptr<const Analysis> forest;
    std::vector<index_t> front;  // [fronts of forest] its number in the tree

    bool is_empty() const { return forest == nullptr; }
};

/// The fronts of the rank's branches, ascending. O(fronts).
std::vector<index_t> fronts_of_branches(const AssemblyTree& tree, const RankMapping& mapping, index_t rank);

/// analysis: the whole of it, or the part that the rank has. O(fronts + rows and entries of the branches).
Branches branches_of(const Analysis& analysis, const RankMapping& mapping, index_t rank);

}  // namespace frond
