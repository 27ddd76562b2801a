// SPDX-License-Identifier: BSD-3-Clause
// The matrix cores of AMD's cards are not used yet: kernels take their other way.
#pragma once

namespace frond::gpu {

inline constexpr bool has_double_products = false;

__device__ inline void add_product_16x8x4(double (&)[4], const double (&)[2], double) {}

__device__ inline void copy_async(double*, const double*, bool) {}
__device__ inline void copy_pair_async(double*, const double*, int) {}
__device__ inline void commit_copies() {}
template <int>
__device__ inline void wait_for_copies() {}
__device__ inline void prefetch(const double*) {}
__device__ inline double* asked_shared_memory() { return nullptr; }

}  // namespace frond::gpu
