// SPDX-License-Identifier: BSD-3-Clause
// Factorization of a diagonal block of n <= step_columns columns by 32 threads, each with a row in registers.
// The functions return the same value in every lane: false when there is no pivot above `smallest`.
#pragma once

#include "lanes.hpp"
#include "step_kernels.hpp"

namespace frond::gpu {

template <class R>
__device__ Complex<R> value_of_lane(Complex<R> value, int lane) {
    return {value_of_lane(value.re, lane), value_of_lane(value.im, lane)};
}

/// 1 / sqrt(a), far quicker than its parts.
__device__ inline float reciprocal_root(float a) { return rsqrtf(a); }
__device__ inline double reciprocal_root(double a) { return rsqrt(a); }

/// L L^H of the lower triangle.
template <class S>
__device__ bool factor_llt(S (&row)[w], index_t lane, index_t n) {
    using R = DeviceReal<S>;
#pragma unroll
    for (index_t k = 0; k < w; ++k) {
        if (k >= n) break;
        const R d = real_part(value_of_lane(row[k], k));
        if (!(d > 0) || d == R(INFINITY)) return false;
        const R inverse = reciprocal_root(d);
        row[k] = lane == k ? RealOf<S>::make(d * inverse) : times_real(row[k], inverse);
#pragma unroll
        for (index_t j = k + 1; j < w; ++j) {
            const S other = value_of_lane(row[k], j);
            if (lane >= j) row[j] = row[j] - row[k] * conjugate(other);
        }
    }
    return true;
}

/// The lane with the largest size, the first of equals; largest becomes its size.
template <class R>
__device__ index_t lane_of_largest(R& largest, index_t lane) {
    index_t place = lane;
#pragma unroll
    for (int mask = 16; mask > 0; mask /= 2) {
        const R other = value_across(largest, mask);
        const index_t other_place = value_across(place, mask);
        if (other > largest || (other == largest && other_place < place)) largest = other, place = other_place;
    }
    return place;
}

/// P A = L U, the largest pivot of each column. Rows stay in their lanes; to: where the lane's row goes.
template <class S>
__device__ bool factor_lu(S (&row)[w], index_t lane, index_t n, DeviceReal<S> smallest, index_t& to) {
    using R = DeviceReal<S>;
    to = lane < n ? w : lane;  // w: has been no pivot yet
#pragma unroll
    for (index_t k = 0; k < w; ++k) {
        if (k >= n) break;
        R largest = to == w ? size_1(row[k]) : R(-1);
        const index_t pivot_lane = lane_of_largest(largest, lane);
        if (!(largest > smallest)) return false;
        const S pivot = value_of_lane(row[k], pivot_lane);
        if (lane == pivot_lane) to = k;
        const bool below = to == w;
        if (below) row[k] = row[k] / pivot;
#pragma unroll
        for (index_t j = k + 1; j < w; ++j) {
            const S upper = value_of_lane(row[j], pivot_lane);
            if (below) row[j] = row[j] - row[k] * upper;
        }
    }
    return true;
}

}  // namespace frond::gpu
