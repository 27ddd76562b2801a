// SPDX-License-Identifier: BSD-3-Clause
#include "solve_vectors.hpp"

#include "check.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/launch.hpp"

namespace frond::gpu {
namespace {

constexpr unsigned threads_per_block = 256;

__device__ std::uint32_t row_of_thread(std::uint32_t begin) {
    return begin + static_cast<std::uint32_t>(blockIdx.x * blockDim.x + threadIdx.x);
}

template <class S>
__global__ void gather_forward_kernel(const SolveRows rows, std::uint32_t begin, std::uint32_t end,
                                      const SolveVectors<S> v) {
    const std::uint32_t row = row_of_thread(begin);
    const count_t q = static_cast<count_t>(blockIdx.y);
    if (row >= end) return;
    const index_t position = rows.position[row];
    const index_t shift = position >= 0 && rows.shift != nullptr ? rows.shift[position] : 0;
    const std::uint32_t from = row + static_cast<std::uint32_t>(shift);
    S sum = position >= 0 ? v.x[position + shift + q * v.n] : RealOf<S>::make(0);
    for (std::uint32_t e = rows.pull_begin[from]; e < rows.pull_begin[from + 1]; ++e)
        sum = sum + v.front_rows[rows.pull[e] + q * v.front_rows_ld];
    v.front_rows[row + q * v.front_rows_ld] = sum;
}

template <class S>
__global__ void gather_backward_kernel(const SolveRows rows, std::uint32_t begin, std::uint32_t end,
                                       const SolveVectors<S> v) {
    const std::uint32_t row = row_of_thread(begin);
    const count_t q = static_cast<count_t>(blockIdx.y);
    if (row >= end) return;
    const index_t position = rows.position[row];
    v.front_rows[row + q * v.front_rows_ld] = position >= 0 ? v.w[position + q * v.n] : v.x[~position + q * v.n];
}

template <class S>
__global__ void divide_kernel(bool hermitian, const PivotRun<S>* runs, const SolveVectors<S> v) {
    const PivotRun<S> run = runs[blockIdx.x];
    const index_t k = static_cast<index_t>(threadIdx.x);
    const bool has_one_before = k > 0 || !run.starts;
    if (k >= run.count || (has_one_before && !is_zero(run.pivots[2 * k - 1]))) return;  // second of a pair
    S* const w = v.w + run.first + k + static_cast<count_t>(blockIdx.y) * v.n;
    const S e = run.pivots[2 * k + 1], x1 = w[0];
    if (is_zero(e)) {
        w[0] = x1 / run.pivots[2 * k];
        return;
    }
    const TwoByTwoInverse<S> inverse(run.pivots[2 * k], e, run.pivots[2 * k + 2], hermitian);
    const S x2 = w[1];
    w[0] = inverse.a11 * x1 + inverse.a12 * x2;
    w[1] = inverse.a21 * x1 + inverse.a22 * x2;
}

template <class S>
dim3 grid_of(std::uint32_t begin, std::uint32_t end, const SolveVectors<S>& v) {
    return {parts(end - begin, threads_per_block), static_cast<unsigned>(v.rhs)};
}

}  // namespace

template <class S>
void gather_forward(Stream stream, const SolveRows& rows, std::uint32_t begin, std::uint32_t end,
                    const SolveVectors<S>& v) {
    if (begin == end) return;
    launch<S, gather_forward_kernel<S>>(stream, {grid_of(begin, end, v), threads_per_block}, rows, begin, end, v);
    check_launch("gather_forward");
}

template <class S>
void gather_backward(Stream stream, const SolveRows& rows, std::uint32_t begin, std::uint32_t end,
                     const SolveVectors<S>& v) {
    if (begin == end) return;
    launch<S, gather_backward_kernel<S>>(stream, {grid_of(begin, end, v), threads_per_block}, rows, begin, end, v);
    check_launch("gather_backward");
}

template <class S>
void divide_by_pivots(Stream stream, bool hermitian, const PivotRun<S>* runs, count_t count, const SolveVectors<S>& v) {
    if (count == 0) return;
    const dim3 grid(static_cast<unsigned>(count), static_cast<unsigned>(v.rhs));
    launch<S, divide_kernel<S>>(stream, {grid, static_cast<unsigned>(pivot_run)}, hermitian, runs, v);
    check_launch("divide_by_pivots");
}

#define FROND_INSTANTIATE(T)                                                                                 \
    template void gather_forward<DeviceScalar<T>>(Stream, const SolveRows&, std::uint32_t, std::uint32_t,    \
                                                  const SolveVectors<DeviceScalar<T>>&);                     \
    template void gather_backward<DeviceScalar<T>>(Stream, const SolveRows&, std::uint32_t, std::uint32_t,   \
                                                   const SolveVectors<DeviceScalar<T>>&);                    \
    template void divide_by_pivots<DeviceScalar<T>>(Stream, bool, const PivotRun<DeviceScalar<T>>*, count_t, \
                                                    const SolveVectors<DeviceScalar<T>>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
