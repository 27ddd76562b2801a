// SPDX-License-Identifier: BSD-3-Clause
#include "list_child_rows.hpp"

#include "check.hpp"
#include "device_scalar.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/launch.hpp"

namespace frond::gpu {
namespace {

constexpr unsigned threads_of_child = 128;

/// A block of threads for each child. Like all kernels one for each scalar.
template <class S>
__global__ void __launch_bounds__(threads_of_child)
    list_child_rows_kernel(const ChildRows* children, const index_t* relative_rows, index_t* row_of) {
    const ChildRows child = children[blockIdx.x];
    for (index_t r = static_cast<index_t>(threadIdx.x); r < child.count; r += static_cast<index_t>(blockDim.x))
        row_of[child.first + relative_rows[child.rows_begin + r]] = r;
}

}  // namespace

template <class T>
void list_child_rows(Stream stream, index_t children, const ChildRows* rows, const index_t* relative_rows,
                     count_t all_rows, index_t* row_of) {
    if (children == 0) return;
    // All bits of -1 are set.
    check(FROND_GPU(MemsetAsync)(row_of, 0xFF, static_cast<std::size_t>(all_rows) * sizeof(index_t), stream),
          "clearing the rows of children");
    launch<DeviceScalar<T>, list_child_rows_kernel<DeviceScalar<T>>>(
        stream, {static_cast<unsigned>(children), threads_of_child}, rows, relative_rows, row_of);
    check_launch("list_child_rows");
}

#define FROND_INSTANTIATE(T) \
    template void list_child_rows<T>(Stream, index_t, const ChildRows*, const index_t*, count_t, index_t*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
