// SPDX-License-Identifier: BSD-3-Clause
#include "invert_blocks.hpp"

#include "check.hpp"
#include "device_scalar.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/launch.hpp"

namespace frond::gpu {
namespace {

constexpr index_t strip = 32;

/// A lower triangle, or an upper one read as its transpose.
template <class S>
struct TriangleView {
    const S* data;
    count_t ld;
    index_t size;
    bool upper, unit;

    __device__ S operator()(index_t i, index_t k) const { return upper ? data[k + i * ld] : data[i + k * ld]; }
    __device__ S diagonal_inverse(index_t i) const {
        const S one = RealOf<S>::make(1);
        return unit || i >= size ? one : one / data[i * (1 + ld)];
    }
};

/// T X = columns [first, first + strip) of the identity, by block rows; thread c has column first + c.
template <class S>
class StripSolve {
public:
    __device__ StripSolve(const TriangleView<S>& t, index_t first, S* inverse, count_t ld)
        : t_(t), first_(first), inverse_(inverse), ld_(ld), column_(first + static_cast<index_t>(threadIdx.x)) {}

    __device__ void run() {
        __shared__ S block[strip][strip + 1], diagonal[strip];
        for (index_t row = first_; row < t_.size; row += strip) {
            S x[strip];
#pragma unroll
            for (index_t i = 0; i < strip; ++i) x[i] = RealOf<S>::make(row + i == column_ ? 1 : 0);
            for (index_t k = first_; k < row; k += strip) subtract(block, row, k, x);
            load(block, row, row);
            diagonal[threadIdx.x] = t_.diagonal_inverse(row + static_cast<index_t>(threadIdx.x));
            __syncthreads();
            substitute(block, diagonal, x);
            __syncthreads();
#pragma unroll
            for (index_t i = 0; i < strip; ++i)
                if (row + i < t_.size && column_ < t_.size) *at(row + i) = x[i];
        }
    }

private:
    /// X(i, column) of the lower inverse; the inverse of the upper triangle is its transpose.
    __device__ S* at(index_t i) const { return t_.upper ? inverse_ + column_ + i * ld_ : inverse_ + i + column_ * ld_; }

    __device__ void load(S (&block)[strip][strip + 1], index_t row, index_t column) const {
        for (index_t k = 0; k < strip; ++k) {
            const index_t i = row + static_cast<index_t>(threadIdx.x), j = column + k;
            const bool inside = i < t_.size && j < t_.size && i > j;
            block[threadIdx.x][k] = inside ? t_(i, j) : RealOf<S>::make(0);
        }
    }

    __device__ void subtract(S (&block)[strip][strip + 1], index_t row, index_t k, S (&x)[strip]) const {
        __syncthreads();
        load(block, row, k);
        __syncthreads();
        for (index_t s = 0; s < strip; ++s) {
            const S known = k + s < t_.size && column_ < t_.size ? *at(k + s) : RealOf<S>::make(0);
#pragma unroll
            for (index_t i = 0; i < strip; ++i) x[i] = x[i] - block[i][s] * known;
        }
        __syncthreads();
    }

    __device__ static void substitute(const S (&block)[strip][strip + 1], const S (&diagonal)[strip], S (&x)[strip]) {
#pragma unroll
        for (index_t i = 0; i < strip; ++i) {
            x[i] = x[i] * diagonal[i];
#pragma unroll
            for (index_t s = i + 1; s < strip; ++s) x[s] = x[s] - block[s][i] * x[i];
        }
    }

    const TriangleView<S>& t_;
    index_t first_;
    S* inverse_;
    count_t ld_;
    index_t column_;
};

/// Block x: a diagonal block, y: a strip of its columns.
template <class S>
__global__ void __launch_bounds__(strip) invert_blocks_kernel(const S* tile, count_t ld, index_t n, bool upper,
                                                              bool unit, S* inverses, count_t ld_inverses) {
    const index_t begin = inverse_block * static_cast<index_t>(blockIdx.x);
    const index_t first = strip * static_cast<index_t>(blockIdx.y);
    const TriangleView<S> t{tile + begin * (1 + ld), ld, min(inverse_block, n - begin), upper, unit};
    if (first < t.size) StripSolve<S>(t, first, inverses + begin * ld_inverses, ld_inverses).run();
}

/// Block x: a triangle, y: a strip of its columns.
template <class S>
__global__ void __launch_bounds__(strip) invert_triangles_kernel(const TriangleToInvert<S>* triangles) {
    const TriangleToInvert<S> job = triangles[blockIdx.x];
    const index_t first = strip * static_cast<index_t>(blockIdx.y);
    const TriangleView<S> t{job.triangle, job.ld, job.size, job.upper, job.unit};
    if (first < t.size) StripSolve<S>(t, first, job.inverse, job.ld_inverse).run();
}

/// Keeps the larger; what is not finite becomes infinity.
template <class R>
__device__ void keep_larger(R& largest, R size) {
    if (!(size <= largest)) largest = isfinite(size) ? size : R(INFINITY);
}

/// One block of threads a diagonal block.
template <class S>
__global__ void measure_inverses_kernel(const S* tile, count_t ld, index_t n, bool upper, bool unit, const S* inverses,
                                        count_t ld_inverses, unsigned long long* growth) {
    using R = DeviceReal<S>;
    const index_t begin = inverse_block * static_cast<index_t>(blockIdx.x), size = min(inverse_block, n - begin);
    R of_block = unit ? 1 : 0, of_inverse = 0;
    for (index_t e = static_cast<index_t>(threadIdx.x); e < size * size; e += static_cast<index_t>(blockDim.x)) {
        const index_t i = e % size, j = e / size;
        if (upper ? i > j : i < j) continue;
        keep_larger(of_inverse, size_1(inverses[i + (begin + j) * ld_inverses]));
        if (i != j || !unit) keep_larger(of_block, size_1(tile[begin + i + (begin + j) * ld]));
    }
    __shared__ unsigned long long largest[2];
    if (threadIdx.x < 2) largest[threadIdx.x] = 0;
    __syncthreads();
    atomicMax(&largest[0], static_cast<unsigned long long>(__double_as_longlong(static_cast<double>(of_block))));
    atomicMax(&largest[1], static_cast<unsigned long long>(__double_as_longlong(static_cast<double>(of_inverse))));
    __syncthreads();
    if (threadIdx.x > 0) return;
    double product = __longlong_as_double(static_cast<long long>(largest[0])) *
                     __longlong_as_double(static_cast<long long>(largest[1]));
    if (!(product >= 0)) product = INFINITY;
    atomicMax(growth, static_cast<unsigned long long>(__double_as_longlong(product)));
}

}  // namespace

template <class T>
void measure_inverses(Stream stream, DenseView<const T> tile, bool upper, bool unit, DenseView<const T> inverses,
                      unsigned long long* growth) {
    using S = DeviceScalar<T>;
    launch<S, measure_inverses_kernel<S>>(stream, {parts(tile.cols, static_cast<unsigned>(inverse_block)), 256},
                                          reinterpret_cast<const S*>(tile.data), tile.ld, tile.cols, upper, unit,
                                          reinterpret_cast<const S*>(inverses.data), inverses.ld, growth);
    check_launch("measure_inverses");
}

template <class T>
void invert_blocks(Stream stream, DenseView<const T> tile, bool upper, bool unit, DenseView<T> inverses) {
    using S = DeviceScalar<T>;
    const auto bytes = [](index_t n) { return sizeof(T) * static_cast<std::size_t>(n); };
    check(FROND_GPU(Memset2DAsync)(inverses.data, bytes(inverses.ld), 0, bytes(inverses.rows),
                                   static_cast<std::size_t>(inverses.cols), stream),
          "clearing inverses");
    const dim3 grid(parts(tile.cols, static_cast<unsigned>(inverse_block)), inverse_block / strip);
    launch<S, invert_blocks_kernel<S>>(stream, {grid, strip}, reinterpret_cast<const S*>(tile.data), tile.ld, tile.cols,
                                       upper, unit, reinterpret_cast<S*>(inverses.data), inverses.ld);
    check_launch("invert_blocks");
}

template <class S>
void invert_triangles(Stream stream, const TriangleToInvert<S>* triangles, count_t count) {
    if (count == 0) return;
    const dim3 grid(static_cast<unsigned>(count), inverse_block / strip);
    launch<S, invert_triangles_kernel<S>>(stream, {grid, strip}, triangles);
    check_launch("invert_triangles");
}

#define FROND_INSTANTIATE(T)                                                                      \
    template void invert_blocks<T>(Stream, DenseView<const T>, bool, bool, DenseView<T>);         \
    template void measure_inverses<T>(Stream, DenseView<const T>, bool, bool, DenseView<const T>, \
                                      unsigned long long*);                                       \
    template void invert_triangles<DeviceScalar<T>>(Stream, const TriangleToInvert<DeviceScalar<T>>*, count_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
