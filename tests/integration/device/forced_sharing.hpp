// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/gpu/devices.hpp"

namespace frond::test {

/// While it is there, trees are shared among so many devices; one device takes the part of all.
struct ForcedSharing {
    explicit ForcedSharing(int devices) { gpu::force_sharing(devices); }
    ForcedSharing(const ForcedSharing&) = delete;
    ForcedSharing& operator=(const ForcedSharing&) = delete;
    ~ForcedSharing() { gpu::force_sharing(1); }
};

/// While it is there, as ForcedSharing, and fronts on tiles at the top are done by all devices together.
struct ForcedSharingOfFronts : ForcedSharing {
    explicit ForcedSharingOfFronts(int devices) : ForcedSharing(devices) { gpu::force_sharing_of_fronts(true); }
    ForcedSharingOfFronts(const ForcedSharingOfFronts&) = delete;
    ForcedSharingOfFronts& operator=(const ForcedSharingOfFronts&) = delete;
    ~ForcedSharingOfFronts() { gpu::force_sharing_of_fronts(false); }
};

/// While it is there, cores beside one device are given subtrees, as if they were so many times as quick as they are.
struct ForcedCores {
    explicit ForcedCores(double speed) { gpu::force_cores(speed); }
    ForcedCores(const ForcedCores&) = delete;
    ForcedCores& operator=(const ForcedCores&) = delete;
    ~ForcedCores() { gpu::force_cores(0); }
};

}  // namespace frond::test
