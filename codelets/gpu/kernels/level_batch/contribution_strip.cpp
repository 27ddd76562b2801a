// SPDX-License-Identifier: BSD-3-Clause
#include "contribution_strip.hpp"

#include <algorithm>

#include "check.hpp"
#include "device_scalar.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/launch.hpp"

namespace frond::gpu {
namespace {

constexpr index_t ordering_threads = 512, rows_of_thread = most_ordered_rows / ordering_threads;
constexpr index_t tile = 32, tile_rows = 8;
constexpr unsigned most_blocks = 4096;

/// A block of threads for a column: all of it is read before any of it is written.
template <class S>
__global__ void __launch_bounds__(ordering_threads)
    order_rows_kernel(const index_t* perm, index_t shift, S* rows, index_t count, index_t columns, count_t ld) {
    for (auto j = static_cast<index_t>(blockIdx.x); j < columns; j += static_cast<index_t>(gridDim.x)) {
        S* const column = rows + j * ld;
        S value[rows_of_thread];
#pragma unroll
        for (index_t r = 0; r < rows_of_thread; ++r) {
            const index_t k = static_cast<index_t>(threadIdx.x) + r * ordering_threads;
            if (k < count) value[r] = column[perm[k] - shift];
        }
        __syncthreads();
#pragma unroll
        for (index_t r = 0; r < rows_of_thread; ++r) {
            const index_t k = static_cast<index_t>(threadIdx.x) + r * ordering_threads;
            if (k < count) column[k] = value[r];
        }
        __syncthreads();
    }
}

/// Entry k of a row of L D, or of its conjugate for what is Hermitian.
template <class S>
__device__ S times_pivot(const S* l, count_t ld, const S* pivots, index_t k, index_t npiv, Factorization kind) {
    S x = l[k * ld];
    if (kind != Factorization::llt) {
        x = x * pivots[2 * k];
        if (k > 0 && !is_zero(pivots[2 * k - 1])) {
            const S beside = pivots[2 * k - 1];
            x = x + l[(k - 1) * ld] * (kind == Factorization::ldlh ? conjugate(beside) : beside);
        }
        if (k + 1 < npiv && !is_zero(pivots[2 * k + 1])) x = x + l[(k + 1) * ld] * pivots[2 * k + 1];
    }
    return kind == Factorization::ldlt ? x : conjugate(x);
}

/// A block of threads turns one tile round, so that both sides are read and written along their columns.
template <class S>
__global__ void __launch_bounds__(tile* tile_rows)
    multiply_by_pivots_kernel(Factorization kind, const S* l, count_t ld, const S* pivots, S* to, count_t to_ld,
                              index_t npiv, index_t columns) {
    __shared__ S turned[tile][tile + 1];
    const auto x = static_cast<index_t>(threadIdx.x), y = static_cast<index_t>(threadIdx.y);
    const index_t first_row = static_cast<index_t>(blockIdx.x) * tile,
                  first_column = static_cast<index_t>(blockIdx.y) * tile;
    for (index_t k = y; k < tile; k += tile_rows)
        if (first_row + k < npiv && first_column + x < columns)
            turned[k][x] = times_pivot(l + first_column + x, ld, pivots, first_row + k, npiv, kind);
    __syncthreads();
    for (index_t j = y; j < tile; j += tile_rows)
        if (first_row + x < npiv && first_column + j < columns)
            to[first_row + x + (first_column + j) * to_ld] = turned[x][j];
}

}  // namespace

template <class T>
void order_rows(Stream stream, const index_t* perm, index_t shift, DenseView<T> rows) {
    if (rows.rows == 0 || rows.cols == 0) return;
    using S = DeviceScalar<T>;
    launch<S, order_rows_kernel<S>>(
        stream, {std::min(static_cast<unsigned>(rows.cols), most_blocks), static_cast<unsigned>(ordering_threads)},
        perm, shift, reinterpret_cast<S*>(rows.data), rows.rows, rows.cols, static_cast<count_t>(rows.ld));
    check_launch("order_rows");
}

template <class T>
void multiply_by_pivots(Stream stream, Factorization kind, DenseView<const T> l, const T* pivots, DenseView<T> to) {
    if (to.rows == 0 || to.cols == 0) return;
    using S = DeviceScalar<T>;
    const dim3 grid(parts(to.rows, tile), parts(to.cols, tile));
    launch<S, multiply_by_pivots_kernel<S>>(stream, {grid, dim3(tile, tile_rows)}, kind,
                                            reinterpret_cast<const S*>(l.data), static_cast<count_t>(l.ld),
                                            reinterpret_cast<const S*>(pivots), reinterpret_cast<S*>(to.data),
                                            static_cast<count_t>(to.ld), to.rows, to.cols);
    check_launch("multiply_by_pivots");
}

#define FROND_INSTANTIATE(T)                                                    \
    template void order_rows<T>(Stream, const index_t*, index_t, DenseView<T>); \
    template void multiply_by_pivots<T>(Stream, Factorization, DenseView<const T>, const T*, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
