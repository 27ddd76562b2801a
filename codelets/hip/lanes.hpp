// SPDX-License-Identifier: BSD-3-Clause
// Exchange between groups of 32 threads of AMD's cards, whose waves may be two such groups. All of a group call together.
#pragma once

#include <hip/hip_runtime.h>

namespace frond::gpu {

/// What lane `lane` of the group has.
template <class R>
__device__ inline R value_of_lane(R value, int lane) {
    return __shfl(value, lane, 32);
}
/// What the lane has whose number differs in the bits of mask.
template <class R>
__device__ inline R value_across(R value, int mask) {
    return __shfl_xor(value, mask, 32);
}

/// The largest of what all lanes have.
__device__ inline unsigned largest_of_lanes(unsigned value) {
    for (int mask = 16; mask > 0; mask /= 2) value = max(value, value_across(value, mask));
    return value;
}

/// What a lane wrote to shared memory is seen by the others of the group. The lanes of a wave run together.
__device__ inline void sync_lanes() {
    __threadfence_block();
    __builtin_amdgcn_wave_barrier();
}

}  // namespace frond::gpu
