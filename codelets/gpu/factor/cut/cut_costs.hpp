// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "factor/cut/piece_cut.hpp"
#include "frond/analysis/analysis.hpp"

namespace frond::gpu {

/// What differs from one cut of a tree to another: levels, kernels, and bytes that cross the link. Operations do not.
struct CutCosts {
    double level_seconds = 0;  // of one level of a piece, without its kernels
    double launch_seconds = 0;  // of one kernel
    double link_bytes_per_second = 1;  // to and from pinned memory
    double device_read_bytes_per_second = 1, host_read_bytes_per_second = 1;  // of factors, by a solve
    count_t scalar_bytes = 8;
    double operations_seconds = 0;  // of a factorization, the same for all cuts
};

/// The seconds of one factorization without its operations, and of one solve with its factors.
struct CutSeconds {
    double factorization = 0, solve = 0;
};

/// [devices] scalars of the factors for which a device has no room next to squares and saved blocks.
std::vector<count_t> factors_without_room(const Analysis& analysis, const PieceCut& cut, count_t most_scalars);

/// The seconds of the device that takes longest. A solve reads all factors twice, on the device where all are there,
/// else on cores. Bytes that cross the link are added to the rest, as if no kernel ran meanwhile
/// (bench/results/gpu-memory.md).
CutSeconds seconds_of_cut(const Analysis& analysis, const PieceCut& cut, count_t most_scalars, const CutCosts& costs);

}  // namespace frond::gpu
