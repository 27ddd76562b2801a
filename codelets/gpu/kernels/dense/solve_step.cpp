// SPDX-License-Identifier: BSD-3-Clause
// The rows behind the diagonal block of a step, and for L U the columns: one thread a row or column, its
// step_columns entries in registers. Further blocks of threads bring L left of it to its pivot order.
#include "check.hpp"
#include "kernels/copy_in_rounds.hpp"
#include "kernels/launch.hpp"
#include "step_kernels.hpp"

namespace frond::gpu {
namespace {

/// x := diagonal * (x - lower x), entry by entry; then, L D L^T, l = x D^-1.
template <class S>
struct SolveBlock {
    S lower[w][w + 1], diagonal[w];
    PivotInverses<S> pivots;
    index_t source[w];  // column (row) of the front where entry t is found

    __device__ void load(const DenseFront<S>& f, const FrontStep& step, Factorization kind, bool upper) {
        const S one = RealOf<S>::make(1), zero = RealOf<S>::make(0);
        const S* const block = f.data + step.column * (1 + f.ld);
        const bool conjugated = kind == Factorization::llt || kind == Factorization::ldlh;
        const bool transposed = kind == Factorization::lu && !upper;
        copy_in_rounds<S>(
            w * w,
            [&](index_t e) {
                const index_t s = transposed ? e % w : e / w, t = transposed ? e / w : e % w;
                if (s >= t || t >= step.width) return zero;
                return transposed ? block[s + t * f.ld] : block[t + s * f.ld];
            },
            [&](index_t e, S value) {
                const index_t s = transposed ? e % w : e / w, t = transposed ? e / w : e % w;
                if (s < t) lower[t][s] = conjugated ? conjugate(value) : value;
            });
        const index_t t = static_cast<index_t>(threadIdx.x);
        if (t >= w) return;
        const bool inside = t < step.width;
        const bool divided = inside && (kind == Factorization::llt || (kind == Factorization::lu && !upper));
        diagonal[t] = divided ? one / block[t + t * f.ld] : one;
        const bool permuted = inside && (upper || kind == Factorization::ldlt || kind == Factorization::ldlh);
        source[t] = permuted ? f.perm[step.column + t] : step.column + t;
        const bool indefinite = kind == Factorization::ldlt || kind == Factorization::ldlh;
        if (indefinite && inside) pivots.load(f.pivots + 2 * step.column, kind == Factorization::ldlh, t);
    }

    __device__ void substitute(S (&x)[w]) const {
#pragma unroll
        for (index_t t = 0; t < w; ++t) {
            x[t] = x[t] * diagonal[t];
#pragma unroll
            for (index_t s = t + 1; s < w; ++s) x[s] = x[s] - lower[s][t] * x[t];
        }
    }
};

/// Row i of L: written where it belongs, D L^H above the diagonal; returns its largest entry, infinity for NaN.
template <class S>
__device__ DeviceReal<S> store_symmetric(const SolveBlock<S>& block, const S (&x)[w], const DenseFront<S>& f,
                                         const FrontStep& step, Factorization kind, index_t i) {
    DeviceReal<S> largest = 0;
    bool ordered = true;
#pragma unroll
    for (index_t t = 0; t < w; ++t) {
        if (t >= step.width) break;
        if (i < f.columns()) f.data[step.column + t + i * f.ld] = kind == Factorization::ldlt ? x[t] : conjugate(x[t]);
        S l = x[t];
        if (kind != Factorization::llt) {
            l = l * block.pivots.own[t];
            if (t > 0) l = l + x[t - 1] * block.pivots.before[t];
            if (t + 1 < w) l = l + x[t + 1] * block.pivots.after[t];
        }
        f.data[i + (step.column + t) * f.ld] = l;
        const auto size = size_1(l);
        ordered = ordered && size >= 0;
        largest = size > largest ? size : largest;
    }
    return ordered ? largest : DeviceReal<S>(INFINITY);
}

/// L U: the same for a row of L, or a column of U, which has no bound.
template <class S>
__device__ DeviceReal<S> store_general(const S (&x)[w], const DenseFront<S>& f, const FrontStep& step, bool upper,
                                       index_t i) {
    DeviceReal<S> largest = 0;
    bool ordered = true;
#pragma unroll
    for (index_t t = 0; t < w; ++t) {
        if (t >= step.width) break;
        f.data[upper ? step.column + t + i * f.ld : i + (step.column + t) * f.ld] = x[t];
        const auto size = size_1(x[t]);
        ordered = ordered && size >= 0;
        if (!upper) largest = size > largest ? size : largest;
    }
    return ordered ? largest : DeviceReal<S>(INFINITY);
}

/// Marks the columns whose entries in row i of L are above the bound, or no numbers; and what row i is to those that
/// failed before. Sizes come before rows, and the largest does not depend on who is first.
template <class S>
__device__ void mark_failed(const StepArguments<S>& a, const DenseFront<S>& f, const FrontStep& step, index_t i) {
    if (f.marks == nullptr) return;
    const index_t row = f.row_of != nullptr && i < f.npiv ? f.row_of[i] : i;
    for (index_t t = step.column; t < step.end(); ++t) {
        const auto size = size_1(f.data[i + t * f.ld]);
        const bool passed = exceeds_bound(a, size);
        if (passed) f.marks[t].how = PivotMark::passed_bound;
        if (!passed && f.marks[t].how != PivotMark::excluded) continue;
        const unsigned long long bits = __float_as_uint(static_cast<float>(size));
        atomicMax(&f.marks[t].partner, bits << 32 | static_cast<unsigned>(row));
    }
}

/// Rows of step_columns columns left of the diagonal block go where their pivots went.
template <class S>
__device__ void permute_left(S (&rows)[w][w + 1], const DenseFront<S>& f, const FrontStep& step, index_t first) {
    S* const from = f.data + step.column + first * f.ld;
    for (index_t e = static_cast<index_t>(threadIdx.x); e < w * w; e += static_cast<index_t>(blockDim.x)) {
        const index_t i = e % w, j = e / w;
        if (i < step.width && first + j < step.column) rows[i][j] = from[i + j * f.ld];
    }
    __syncthreads();
    for (index_t e = static_cast<index_t>(threadIdx.x); e < w * w; e += static_cast<index_t>(blockDim.x)) {
        const index_t i = e % w, j = e / w;
        if (i < step.width && first + j < step.column)
            from[i + j * f.ld] = rows[f.perm[step.column + i] - step.column][j];
    }
}

template <class S>
__global__ void __launch_bounds__(solve_threads) solve_step_kernel(StepArguments<S> a) {
    __shared__ SolveBlock<S> block;
    const FrontStep step = a.steps[find_step(a.steps, a.count, blockIdx.x, &FrontStep::first_solve)];
    const DenseFront<S> f = a.fronts[step.front];
    const index_t first = step.column + step.width;
    constexpr auto threads = static_cast<index_t>(solve_threads);
    const index_t chunks = (f.order - first + threads - 1) / threads;
    const index_t chunk = static_cast<index_t>(blockIdx.x - step.first_solve);
    const index_t beside = a.kind == Factorization::lu ? (f.columns() - first + threads - 1) / threads : 0;
    const index_t behind = chunks + beside;
    if (chunk >= behind) return permute_left(block.lower, f, step, step.left + (chunk - behind) * w);
    const bool upper = chunk >= chunks;
    block.load(f, step, a.kind, upper);
    __syncthreads();
    const index_t i = first + (upper ? chunk - chunks : chunk) * threads + static_cast<index_t>(threadIdx.x);
    const index_t end = upper ? f.columns() : f.order;
    DeviceReal<S> largest = 0;
    if (i < end) {
        S x[w];
#pragma unroll
        for (index_t t = 0; t < w; ++t)
            x[t] = t >= step.width ? RealOf<S>::make(0)
                                   : f.data[upper ? block.source[t] + i * f.ld : i + block.source[t] * f.ld];
        block.substitute(x);
        largest = a.kind == Factorization::lu ? store_general(x, f, step, upper, i)
                                              : store_symmetric(block, x, f, step, a.kind, i);
    }
    if ((exceeds_bound(a, largest) || a.answer->failed != 0) && !upper && i < end) mark_failed(a, f, step, i);
    report_largest(a, largest);
}

}  // namespace

template <class S>
void launch_solve(Stream stream, const StepArguments<S>& a, unsigned blocks) {
    launch<S, solve_step_kernel<S>>(stream, {blocks, solve_threads}, a);
    check_launch("solve_step");
}

#define FROND_INSTANTIATE(S) template void launch_solve<S>(Stream, const StepArguments<S>&, unsigned);
FROND_FOR_EACH_DEVICE_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
