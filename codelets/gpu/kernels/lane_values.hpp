// SPDX-License-Identifier: BSD-3-Clause
// What 32 threads that factor a diagonal block exchange and compute.
#pragma once

#include "lanes.hpp"
#include "kernels/dense/step_kernels.hpp"

namespace frond::gpu {

template <class R>
__device__ Complex<R> value_of_lane(Complex<R> value, int lane) {
    return {value_of_lane(value.re, lane), value_of_lane(value.im, lane)};
}

/// 1 / sqrt(a), far quicker than its parts.
__device__ inline float reciprocal_root(float a) { return rsqrtf(a); }
__device__ inline double reciprocal_root(double a) { return rsqrt(a); }

/// The lane with the largest size, the first of equals; largest becomes its size. NaN counts as no size, -1: lanes
/// that compare it come to different ends, and go on with each other's values as indices.
template <class R>
__device__ index_t lane_of_largest(R& largest, index_t lane) {
    index_t place = lane;
    if (!(largest >= R(-1))) largest = R(-1);
#pragma unroll
    for (int mask = 16; mask > 0; mask /= 2) {
        const R other = value_across(largest, mask);
        const index_t other_place = value_across(place, mask);
        if (other > largest || (other == largest && other_place < place)) largest = other, place = other_place;
    }
    return place;
}

}  // namespace frond::gpu
