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

/// The largest of what all lanes have.
inline unsigned largest_of_lanes(unsigned value) {
    for (int mask = 16; mask > 0; mask /= 2) value = std::max(value, value_across(value, mask));
    return value;
}

/// What a lane wrote to shared memory is seen by the others of the group.
inline void sync_lanes() { emulated::wait_for_warp(); }

}  // namespace frond::gpu
