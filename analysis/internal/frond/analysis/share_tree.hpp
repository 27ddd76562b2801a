// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <vector>

#include "frond/base/types.hpp"
#include "frond/analysis/assembly_tree.hpp"

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

}  // namespace frond
