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
};

/// A whole subtree, or one front alone, and the device that does it.
struct SharedPart {
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
/// scheduling for parallel sparse Cholesky factorization, 1989). They are dealt the costliest first, and as blocks of
/// neighbours, of which a device does the levels side by side and fronts above them, too; the quicker one counts. One part for each root on device 0 where several
/// devices are hardly quicker than one. Factors stay on the device that makes them.
/// O(devices (fronts + devices log devices)).
TreeShares share_tree(const AssemblyTree& tree, const std::vector<double>& front_flops, index_t devices,
                      const ShareCosts& costs);

}  // namespace frond
