// SPDX-License-Identifier: BSD-3-Clause
// Exchange between groups of 32 emulated threads. All of a group call together.
#pragma once

#include "vendor.hpp"

namespace frond::gpu {

/// What lane `lane` of the group has.
template <class R>
R value_of_lane(R value, int lane) {
    return emulated::exchange(value, static_cast<unsigned>(lane));
}
/// What the lane has whose number differs in the bits of mask.
template <class R>
R value_across(R value, int mask) {
    return emulated::exchange(value, emulated::lane() ^ static_cast<unsigned>(mask));
}

/// What a lane wrote to shared memory is seen by the others of the group.
inline void sync_lanes() { emulated::wait_for_warp(); }

}  // namespace frond::gpu
