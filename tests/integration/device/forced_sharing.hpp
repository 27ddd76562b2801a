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

}  // namespace frond::test
