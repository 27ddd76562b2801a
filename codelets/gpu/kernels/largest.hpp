// SPDX-License-Identifier: BSD-3-Clause
// Largest magnitudes over all threads of a kernel, by their bits.
#pragma once

#include "device_scalar.hpp"

namespace frond::gpu {

inline constexpr unsigned threads_of_largest = 256;

FROND_DEVICE float magnitude(float a) { return fabsf(a); }
FROND_DEVICE double magnitude(double a) { return fabs(a); }
template <class R>
FROND_DEVICE R magnitude(Complex<R> a) {
    return hypot(a.re, a.im);
}

/// Bits of numbers >= 0 order as the numbers do, NaN above infinity.
__device__ inline unsigned long long bits_of(double x) {
    return static_cast<unsigned long long>(__double_as_longlong(x)) & ~(1ull << 63);
}

/// *largest := the largest of it and the bits of all threads of the block, threads_of_largest of them; Lanes > 1: of
/// those whose number is the same modulo Lanes, a power of two, and who give the same address.
template <unsigned Lanes = 1>
__device__ void keep_largest_of_block(unsigned long long bits, unsigned long long* largest) {
    __shared__ unsigned long long shared[threads_of_largest];
    shared[threadIdx.x] = bits;
    __syncthreads();
    for (unsigned half = threads_of_largest / 2; half >= Lanes; half /= 2) {
        if (threadIdx.x < half && shared[threadIdx.x + half] > shared[threadIdx.x])
            shared[threadIdx.x] = shared[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x < Lanes && shared[threadIdx.x] != 0) atomicMax(largest, shared[threadIdx.x]);
    __syncthreads();
}

}  // namespace frond::gpu
