// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/analysis/assembly_tree.hpp"

namespace frond {

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

}  // namespace frond
