// SPDX-License-Identifier: BSD-3-Clause
// Exchange between groups of 32 threads of NVIDIA's cards. All of a group call together.
#pragma once

namespace frond::gpu {

/// What lane `lane` of the group has.
template <class R>
__device__ inline R value_of_lane(R value, int lane) {
    return __shfl_sync(0xffffffffU, value, lane, 32);
}
/// What the lane has whose number differs in the bits of mask.
template <class R>
__device__ inline R value_across(R value, int mask) {
    return __shfl_xor_sync(0xffffffffU, value, mask, 32);
}

/// The largest of what all lanes have.
__device__ inline unsigned largest_of_lanes(unsigned value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_max_sync(0xffffffffU, value);
#else
    for (int mask = 16; mask > 0; mask /= 2) value = max(value, value_across(value, mask));
    return value;
#endif
}

/// What a lane wrote to shared memory is seen by the others of the group.
__device__ inline void sync_lanes() { __syncwarp(); }

}  // namespace frond::gpu
