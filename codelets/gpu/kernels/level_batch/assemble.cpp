// SPDX-License-Identifier: BSD-3-Clause
#include "assemble.hpp"

#include "check.hpp"
#include "device_scalar.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/launch.hpp"

namespace frond::gpu {
namespace {

template <class S>
__global__ void scatter_add_kernel(count_t count, const count_t* offset, const S* value, S* block) {
    const count_t e = blockIdx.x * static_cast<count_t>(blockDim.x) + threadIdx.x;
    if (e < count) block[offset[e]] = block[offset[e]] + value[e];
}

/// A warp along the rows, which are next to each other in memory.
template <class S>
__global__ void extend_add_kernel(index_t rows, index_t cols, const S* child, count_t child_ld, const index_t* row,
                                  const index_t* column, bool lower, S* block, count_t block_ld) {
    const index_t r = static_cast<index_t>(blockIdx.x * blockDim.x + threadIdx.x);
    if (r >= rows) return;
    const index_t target = row[r];
    for (index_t c = static_cast<index_t>(blockIdx.y * blockDim.y + threadIdx.y); c < cols;
         c += static_cast<index_t>(gridDim.y * blockDim.y)) {
        if (lower && column[c] > target) continue;
        S* const to = block + target + column[c] * block_ld;
        *to = *to + child[r + c * child_ld];
    }
}

}  // namespace

template <class T>
void clear(Stream stream, DenseView<T> block) {
    const auto width = sizeof(T) * static_cast<std::size_t>(block.rows);
    check(FROND_GPU(Memset2DAsync)(block.data, sizeof(T) * static_cast<std::size_t>(block.ld), 0, width,
                                   static_cast<std::size_t>(block.cols), stream),
          "clearing a tile");
}

template <class T>
void scatter_add(Stream stream, count_t count, const count_t* offset, const T* value, DenseView<T> block) {
    if (count == 0) return;
    using S = DeviceScalar<T>;
    constexpr unsigned threads = 256;
    launch<S, scatter_add_kernel<S>>(stream, {parts(count, threads), threads}, count, offset,
                                     reinterpret_cast<const S*>(value), reinterpret_cast<S*>(block.data));
    check_launch("scatter_add");
}

template <class T>
void extend_add(Stream stream, DenseView<const T> child, const index_t* row, const index_t* column, bool lower,
                DenseView<T> block) {
    if (child.rows == 0 || child.cols == 0) return;
    using S = DeviceScalar<T>;
    const dim3 threads(32, 8);
    const dim3 grid(parts(child.rows, threads.x), min(parts(child.cols, threads.y), 1024U));
    launch<S, extend_add_kernel<S>>(stream, {grid, threads}, child.rows, child.cols,
                                    reinterpret_cast<const S*>(child.data), child.ld, row, column, lower,
                                    reinterpret_cast<S*>(block.data), block.ld);
    check_launch("extend_add");
}

#define FROND_INSTANTIATE(T)                                                               \
    template void clear<T>(Stream, DenseView<T>);                                          \
    template void scatter_add<T>(Stream, count_t, const count_t*, const T*, DenseView<T>); \
    template void extend_add<T>(Stream, DenseView<const T>, const index_t*, const index_t*, bool, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
