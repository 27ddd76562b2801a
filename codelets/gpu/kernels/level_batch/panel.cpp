// SPDX-License-Identifier: BSD-3-Clause
#include "panel.hpp"

#include "check.hpp"
#include "device_scalar.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/launch.hpp"

namespace frond::gpu {
namespace {

constexpr unsigned threads_per_block = 128;

template <class S>
__global__ void gather_columns_kernel(index_t rows, const S* from, count_t from_ld, const index_t* perm, S* to,
                                      count_t to_ld) {
    const index_t i = static_cast<index_t>(blockIdx.x * blockDim.x + threadIdx.x);
    const index_t k = static_cast<index_t>(blockIdx.y);
    if (i < rows) to[i + k * to_ld] = from[i + perm[k] * from_ld];
}

template <class S>
__global__ void gather_rows_kernel(index_t rows, const S* from, count_t from_ld, const index_t* perm, S* to,
                                   count_t to_ld) {
    const index_t k = static_cast<index_t>(blockIdx.x * blockDim.x + threadIdx.x);
    const index_t j = static_cast<index_t>(blockIdx.y);
    if (k < rows) to[k + j * to_ld] = from[perm[k] + j * from_ld];
}

/// Block row y is column k; the second column of a 2x2 pivot is left to the first.
template <class S>
__global__ void divide_columns_kernel(index_t rows, index_t cols, bool hermitian, const S* pivots, const S* from,
                                      count_t from_ld, S* to, count_t to_ld) {
    const index_t i = static_cast<index_t>(blockIdx.x * blockDim.x + threadIdx.x);
    const index_t k = static_cast<index_t>(blockIdx.y);
    const bool second = k > 0 && !is_zero(pivots[2 * (k - 1) + 1]);
    if (i >= rows || second) return;
    const S e = pivots[2 * k + 1], x1 = from[i + k * from_ld];
    if (is_zero(e) || k + 1 == cols) {
        to[i + k * to_ld] = x1 / pivots[2 * k];
        return;
    }
    const TwoByTwoInverse<S> inverse(pivots[2 * k], e, pivots[2 * k + 2], hermitian);
    const S x2 = from[i + (k + 1) * from_ld];
    to[i + k * to_ld] = x1 * inverse.a11 + x2 * inverse.a21;
    to[i + (k + 1) * to_ld] = x1 * inverse.a12 + x2 * inverse.a22;
}

/// One block a column.
template <class S, class R>
__global__ void check_columns_kernel(index_t rows, const S* l, count_t ld, R bound, PanelCheck* answer) {
    const index_t k = static_cast<index_t>(blockIdx.y);
    bool above = false;
    R largest = 0;
    for (index_t i = static_cast<index_t>(threadIdx.x); i < rows; i += static_cast<index_t>(blockDim.x)) {
        const R size = size_1(l[i + k * ld]);
        above = above || !(size <= bound);
        largest = size > largest ? size : largest;
    }
    __shared__ int column_above;
    if (threadIdx.x == 0) column_above = 0;
    __syncthreads();
    if (above) column_above = 1;
    __syncthreads();
    if (column_above != 0) {
        if (threadIdx.x == 0) atomicMin(&answer->first_above, k);
    } else {
        const double value = largest;
        atomicMax(&answer->largest_bits, static_cast<unsigned long long>(__double_as_longlong(value)));
    }
}

template <class T>
const DeviceScalar<T>* device(const T* p) {
    return reinterpret_cast<const DeviceScalar<T>*>(p);
}
template <class T>
DeviceScalar<T>* device(T* p) {
    return reinterpret_cast<DeviceScalar<T>*>(p);
}

dim3 grid_of(index_t rows, index_t cols) { return {parts(rows, threads_per_block), static_cast<unsigned>(cols), 1}; }

template <class T>
void copy(Stream stream, DenseView<const T> from, DenseView<T> to, MemcpyKind kind) {
    const auto bytes = [](index_t n) { return sizeof(T) * static_cast<std::size_t>(n); };
    check(FROND_GPU(Memcpy2DAsync)(to.data, bytes(to.ld), from.data, bytes(from.ld), bytes(from.rows),
                                   static_cast<std::size_t>(from.cols), kind, stream),
          "copying a block");
}

}  // namespace

template <class T>
void copy_block(Stream stream, DenseView<const T> from, DenseView<T> to) {
    copy(stream, from, to, FROND_GPU(MemcpyDeviceToDevice));
}

template <class T>
void send_block(Stream stream, DenseView<const T> host, DenseView<T> to) {
    copy(stream, host, to, FROND_GPU(MemcpyHostToDevice));
}

template <class T>
void fetch_block(Stream stream, DenseView<const T> from, DenseView<T> host) {
    copy(stream, from, host, FROND_GPU(MemcpyDeviceToHost));
}

template <class T>
void gather_columns(Stream stream, DenseView<const T> from, const index_t* perm, DenseView<T> to) {
    launch<DeviceScalar<T>, gather_columns_kernel<DeviceScalar<T>>>(stream,
                                                                    {grid_of(to.rows, to.cols), threads_per_block},
                                                                    to.rows, device(from.data), from.ld, perm,
                                                                    device(to.data), to.ld);
    check_launch("gather_columns");
}

template <class T>
void gather_rows(Stream stream, DenseView<const T> from, const index_t* perm, DenseView<T> to) {
    launch<DeviceScalar<T>, gather_rows_kernel<DeviceScalar<T>>>(stream, {grid_of(to.rows, to.cols), threads_per_block},
                                                                 to.rows, device(from.data), from.ld, perm,
                                                                 device(to.data), to.ld);
    check_launch("gather_rows");
}

template <class T>
void divide_columns_by_pivots(Stream stream, bool hermitian, const T* pivots, DenseView<const T> from,
                              DenseView<T> to) {
    launch<DeviceScalar<T>, divide_columns_kernel<DeviceScalar<T>>>(stream,
                                                                    {grid_of(to.rows, to.cols), threads_per_block},
                                                                    to.rows, to.cols, hermitian, device(pivots),
                                                                    device(from.data), from.ld, device(to.data), to.ld);
    check_launch("divide_columns_by_pivots");
}

template <class T>
void check_columns(Stream stream, DenseView<const T> l, double bound, PanelCheck* answer) {
    const dim3 grid(1, static_cast<unsigned>(l.cols));
    launch<DeviceScalar<T>, check_columns_kernel<DeviceScalar<T>, real_t<T>>>(stream, {grid, threads_per_block}, l.rows,
                                                                              device(l.data), l.ld,
                                                                              static_cast<real_t<T>>(bound), answer);
    check_launch("check_columns");
}

#define FROND_INSTANTIATE(T)                                                                             \
    template void copy_block<T>(Stream, DenseView<const T>, DenseView<T>);                               \
    template void send_block<T>(Stream, DenseView<const T>, DenseView<T>);                               \
    template void fetch_block<T>(Stream, DenseView<const T>, DenseView<T>);                              \
    template void gather_columns<T>(Stream, DenseView<const T>, const index_t*, DenseView<T>);           \
    template void gather_rows<T>(Stream, DenseView<const T>, const index_t*, DenseView<T>);              \
    template void divide_columns_by_pivots<T>(Stream, bool, const T*, DenseView<const T>, DenseView<T>); \
    template void check_columns<T>(Stream, DenseView<const T>, double, PanelCheck*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
