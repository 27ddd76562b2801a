// SPDX-License-Identifier: BSD-3-Clause
// Products in double precision by the tensor cores (PTX ISA, mma.m8n8k4 and mma.m16n8k4 with .f64).
#pragma once

namespace frond::gpu {

inline constexpr bool has_double_products = true;

/// c [16, 8] += a [16, 4] b [4, 8] by a warp. Lane t holds a(t / 4, t % 4) and 8 rows below it, b(t % 4, t / 4),
/// and of c rows t / 4 and t / 4 + 8, of each columns 2 (t % 4) and the next.
__device__ inline void add_product_16x8x4(double (&c)[4], const double (&a)[2], double b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(b));
#elif defined(__CUDA_ARCH__)
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(c[0]), "+d"(c[1])
        : "d"(a[0]), "d"(b));
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(c[2]), "+d"(c[3])
        : "d"(a[1]), "d"(b));
#endif
}

/// *shared := inside ? *global : 0, on its way until wait_for_copies.
__device__ inline void copy_async(double* shared, const double* global, bool inside) {
#if defined(__CUDA_ARCH__)
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(global), "r"(inside ? 8 : 0) : "memory");
#endif
}
/// shared[0] and shared[1] := the first `count` of the two numbers at global, 0 beyond; both at multiples of 16 bytes.
__device__ inline void copy_pair_async(double* shared, const double* global, int count) {
#if defined(__CUDA_ARCH__)
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global), "r"(8 * count) : "memory");
#endif
}
__device__ inline void commit_copies() {
#if defined(__CUDA_ARCH__)
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// For all that this thread committed but the last `under_way` groups.
template <int under_way>
__device__ inline void wait_for_copies() {
#if defined(__CUDA_ARCH__)
    asm volatile("cp.async.wait_group %0;" ::"n"(under_way) : "memory");
#endif
}
/// The shared memory that a launch asked for.
__device__ inline double* asked_shared_memory() {
    extern __shared__ __align__(16) double memory[];
    return memory;
}

/// The line of memory with that number comes to the device's cache.
__device__ inline void prefetch(const double* global) {
#if defined(__CUDA_ARCH__)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(global));
#endif
}

}  // namespace frond::gpu
