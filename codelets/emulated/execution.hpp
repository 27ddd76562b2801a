// SPDX-License-Identifier: BSD-3-Clause
// Kernels on the host: blocks of threads one after the other, the threads of a block in turns, each until it waits for
// others. For tests; a kernel that needs threads of different blocks to wait for each other would never end.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <starpu.h>

// A StarPU with CUDA brings the vendor's own, before these.
#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __launch_bounds__
#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __launch_bounds__(...)
#define dim3 frond::gpu::emulated::Extent
#define threadIdx frond::gpu::emulated::place().thread
#define blockIdx frond::gpu::emulated::place().block
#define blockDim frond::gpu::emulated::place().threads
#define gridDim frond::gpu::emulated::place().blocks
#define __syncthreads() frond::gpu::emulated::wait_for_block()

namespace frond::gpu::emulated {

struct Extent {
    unsigned x = 1, y = 1, z = 1;
    constexpr Extent(unsigned width = 1, unsigned height = 1, unsigned depth = 1) : x(width), y(height), z(depth) {}
};

/// What a thread of a kernel knows of itself.
struct ThreadPlace {
    Extent thread, block, threads, blocks;
};
const ThreadPlace& place() noexcept;

/// Runs body in each thread of each block; one kernel at a time.
void run_kernel(Extent grid, Extent threads, const std::function<void()>& body);

void wait_for_block();
void wait_for_warp();
/// What each lane of the calling thread's warp has put there by exchange().
constexpr std::size_t exchanged_bytes = 32;
unsigned lane();
char* exchanged(unsigned lane);

/// value of lane `from` of the warp, all of which call together.
template <class Value>
Value exchange(Value value, unsigned from) {
    static_assert(sizeof(Value) <= exchanged_bytes);
    std::memcpy(exchanged(lane()), &value, sizeof value);
    wait_for_warp();
    std::memcpy(&value, exchanged(from), sizeof value);
    wait_for_warp();
    return value;
}

}  // namespace frond::gpu::emulated
