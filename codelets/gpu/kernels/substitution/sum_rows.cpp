// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"
#include "frond/base/instantiate.hpp"
#include "lanes.hpp"
#include "kernels/largest.hpp"
#include "kernels/launch.hpp"
#include "refinement.hpp"

namespace frond::gpu {
namespace {

constexpr unsigned threads_per_block = threads_of_largest;
/// So many threads share a row.
constexpr int lanes_of_row = 8;
constexpr unsigned rows_per_block = threads_per_block / lanes_of_row;

/// The sum over the lanes of a row, in each of them.
__device__ double sum_of_row(double sum) {
#pragma unroll
    for (int mask = lanes_of_row / 2; mask > 0; mask /= 2) sum = sum + value_across(sum, mask);
    return sum;
}

/// Adds up the sizes of the entries of each row in double precision, always in the same order.
template <class S>
__global__ void sum_rows_kernel(const SystemView<S> a, DeviceReal<S>* row_sum, DeviceReal<S>* scaled_row_sum,
                                unsigned long long* norm) {
    const auto k = static_cast<index_t>(blockIdx.x * rows_per_block + threadIdx.x / lanes_of_row);
    const count_t end = k < a.n ? a.row_begin[k + 1] : 0;
    double sum = 0, scaled = 0;
    for (count_t e = (k < a.n ? a.row_begin[k] : 0) + threadIdx.x % lanes_of_row; e < end; e += lanes_of_row) {
        const double size = magnitude(a.value[e]);
        sum += size;
        if (scaled_row_sum != nullptr) scaled += size / a.inverse_solution_scale[a.column[e]];
    }
    sum = sum_of_row(sum);
    scaled = sum_of_row(scaled);
    const auto rounded = static_cast<DeviceReal<S>>(sum);
    if (k < a.n && threadIdx.x % lanes_of_row == 0) {
        row_sum[k] = rounded;
        if (scaled_row_sum != nullptr) scaled_row_sum[k] = static_cast<DeviceReal<S>>(scaled);
    }
    keep_largest_of_block(bits_of(rounded), norm);
}

}  // namespace

template <class S>
void sum_rows(Stream stream, const SystemView<S>& a, DeviceReal<S>* row_sum, DeviceReal<S>* scaled_row_sum,
              unsigned long long* norm) {
    check(FROND_GPU(MemsetAsync)(norm, 0, sizeof *norm, stream), "clearing the norm of a matrix");
    launch<S, sum_rows_kernel<S>>(stream, {parts(a.n, rows_per_block), threads_per_block}, a, row_sum, scaled_row_sum,
                                  norm);
    check_launch("sum_rows");
}

#define FROND_INSTANTIATE(T)                                                                                          \
    template void sum_rows<DeviceScalar<T>>(Stream, const SystemView<DeviceScalar<T>>&, DeviceReal<DeviceScalar<T>>*, \
                                            DeviceReal<DeviceScalar<T>>*, unsigned long long*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
