// SPDX-License-Identifier: BSD-3-Clause
#include "segments.hpp"

#include "check.hpp"
#include "device_scalar.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/launch.hpp"

namespace frond::gpu {
namespace {

constexpr unsigned threads_of_segment = 128;

template <class S>
__global__ void scatter_rows_kernel(index_t rows, const S* from, count_t from_ld, const index_t* perm, S* to,
                                    count_t to_ld) {
    const index_t k = static_cast<index_t>(blockIdx.x * blockDim.x + threadIdx.x);
    const index_t j = static_cast<index_t>(blockIdx.y);
    if (k < rows) to[perm[k] + j * to_ld] = from[k + j * from_ld];
}

/// The second row of a 2x2 pivot is left to the first.
template <class S>
__global__ void divide_rows_kernel(index_t rows, bool hermitian, const S* pivots, S* x, count_t ld) {
    const index_t k = static_cast<index_t>(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= rows || (k > 0 && !is_zero(pivots[2 * k - 1]))) return;
    S* const first = x + k + static_cast<index_t>(blockIdx.y) * ld;
    const S e = pivots[2 * k + 1], x1 = first[0];
    if (is_zero(e) || k + 1 == rows) {
        first[0] = x1 / pivots[2 * k];
        return;
    }
    const TwoByTwoInverse<S> inverse(pivots[2 * k], e, pivots[2 * k + 2], hermitian);
    const S x2 = first[1];
    first[0] = inverse.a11 * x1 + inverse.a12 * x2;
    first[1] = inverse.a21 * x1 + inverse.a22 * x2;
}

template <class S>
__global__ void add_block_kernel(index_t rows, const S* from, count_t from_ld, S* to, count_t to_ld) {
    const index_t i = static_cast<index_t>(blockIdx.x * blockDim.x + threadIdx.x);
    const index_t j = static_cast<index_t>(blockIdx.y);
    if (i < rows) to[i + j * to_ld] = to[i + j * to_ld] + from[i + j * from_ld];
}

template <class T>
const DeviceScalar<T>* on_card(const T* p) {
    return reinterpret_cast<const DeviceScalar<T>*>(p);
}
template <class T>
DeviceScalar<T>* on_card(T* p) {
    return reinterpret_cast<DeviceScalar<T>*>(p);
}

template <class T>
LaunchShape shape_of(DenseView<T> segment) {
    return {{parts(segment.rows, threads_of_segment), static_cast<unsigned>(segment.cols), 1}, threads_of_segment};
}

}  // namespace

template <class T>
void scatter_rows(Stream stream, DenseView<const T> from, const index_t* perm, DenseView<T> to) {
    if (to.empty()) return;
    using S = DeviceScalar<T>;
    launch<S, scatter_rows_kernel<S>>(stream, shape_of(to), to.rows, on_card(from.data), from.ld, perm,
                                      on_card(to.data), to.ld);
    check_launch("scatter_rows");
}

template <class T>
void divide_rows_by_pivots(Stream stream, bool hermitian, const T* pivots, DenseView<T> x) {
    if (x.empty()) return;
    using S = DeviceScalar<T>;
    launch<S, divide_rows_kernel<S>>(stream, shape_of(x), x.rows, hermitian, on_card(pivots), on_card(x.data), x.ld);
    check_launch("divide_rows_by_pivots");
}

template <class T>
void add_block(Stream stream, DenseView<const T> from, DenseView<T> to) {
    if (to.empty()) return;
    using S = DeviceScalar<T>;
    launch<S, add_block_kernel<S>>(stream, shape_of(to), to.rows, on_card(from.data), from.ld, on_card(to.data), to.ld);
    check_launch("add_block");
}

#define FROND_INSTANTIATE(T)                                                                 \
    template void scatter_rows<T>(Stream, DenseView<const T>, const index_t*, DenseView<T>); \
    template void divide_rows_by_pivots<T>(Stream, bool, const T*, DenseView<T>);            \
    template void add_block<T>(Stream, DenseView<const T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
