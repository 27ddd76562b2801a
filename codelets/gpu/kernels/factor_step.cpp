// SPDX-License-Identifier: BSD-3-Clause
// The diagonal block of every front of a step, by 32 threads a front.
#include "check.hpp"
#include "diagonal_block.hpp"
#include "step_kernels.hpp"

namespace frond::gpu {
namespace {

/// Both triangles, Hermitian as such.
template <class S>
__device__ void load(DiagonalBlock<S>& b, const SquareFront<S>& f, const FrontStep& step, Factorization kind) {
    const S* const from = f.data + step.column * (1 + f.ld);
    for (index_t e = b.thread(); e < w * w; e += b.threads()) {
        const index_t i = e % w, j = e / w;
        S value = RealOf<S>::make(0);
        if (i < step.width && j < step.width) {
            const bool mirrored = i < j;
            value = mirrored ? from[j + i * f.ld] : from[i + j * f.ld];
            if (kind == Factorization::ldlh) {
                if (mirrored) value = conjugate(value);
                if (i == j) value = RealOf<S>::make(real_part(value));
            }
        }
        b.a[i][j] = value;
    }
    if (b.thread() < w) b.perm[b.thread()] = b.thread();
    for (index_t k = b.thread(); k < 2 * w; k += b.threads()) b.pivots[k] = RealOf<S>::make(0);
    sync_lanes();
}

template <class S>
__device__ void store(const DiagonalBlock<S>& b, const SquareFront<S>& f, const FrontStep& step) {
    S* const to = f.data + step.column * (1 + f.ld);
    for (index_t e = b.thread(); e < w * w; e += b.threads()) {
        const index_t i = e % w, j = e / w;
        if (i >= step.width || j >= step.width) continue;
        if (i >= j) to[i + j * f.ld] = b.a[i][j];
    }
    if (b.thread() >= step.width) return;
    f.perm[step.column + b.thread()] = step.column + b.perm[b.thread()];
    f.pivots[2 * (step.column + b.thread())] = b.pivots[2 * b.thread()];
    f.pivots[2 * (step.column + b.thread()) + 1] = b.pivots[2 * b.thread() + 1];
}

template <class S>
__global__ void __launch_bounds__(w) factor_ldlt_kernel(StepArguments<S> a) {
    __shared__ DiagonalBlock<S> b;
    const FrontStep step = a.steps[blockIdx.x];
    const SquareFront<S> f = a.fronts[step.front];
    load(b, f, step, a.kind);
    const bool good = factor_ldlt(b, step.width, a.kind == Factorization::ldlh, a.smallest_pivot());
    sync_lanes();
    if (!good && b.thread() == 0) a.answer->failed = 1;
    store(b, f, step);
}

template <class S>
__global__ void __launch_bounds__(w) factor_llt_kernel(StepArguments<S> a) {
    const FrontStep step = a.steps[blockIdx.x];
    const SquareFront<S> f = a.fronts[step.front];
    const auto lane = static_cast<index_t>(threadIdx.x);
    S* const block = f.data + step.column * (1 + f.ld) + lane;
    S row[w];
#pragma unroll
    for (index_t j = 0; j < w; ++j)
        row[j] = lane < step.width && j <= lane ? block[j * f.ld] : RealOf<S>::make(0);
    if (!factor_llt(row, lane, step.width) && lane == 0) a.answer->failed = 1;
#pragma unroll
    for (index_t j = 0; j < w; ++j)
        if (lane < step.width && j <= lane) block[j * f.ld] = row[j];
}

template <class S>
__global__ void __launch_bounds__(w) factor_lu_kernel(StepArguments<S> a) {
    const FrontStep step = a.steps[blockIdx.x];
    const SquareFront<S> f = a.fronts[step.front];
    const auto lane = static_cast<index_t>(threadIdx.x);
    S* const block = f.data + step.column * (1 + f.ld);
    S row[w];
#pragma unroll
    for (index_t j = 0; j < w; ++j)
        row[j] = lane < step.width && j < step.width ? block[lane + j * f.ld] : RealOf<S>::make(0);
    index_t to = 0;
    if (!factor_lu(row, lane, step.width, a.smallest_pivot(), to)) {
        if (lane == 0) a.answer->failed = 1;
        to = lane;
    }
    if (lane >= step.width) return;
    f.perm[step.column + to] = step.column + lane;
#pragma unroll
    for (index_t j = 0; j < w; ++j)
        if (j < step.width) block[to + j * f.ld] = row[j];
}

}  // namespace

template <class S>
void launch_factor(Stream stream, const StepArguments<S>& a) {
    const auto fronts = static_cast<unsigned>(a.count);
    if (a.kind == Factorization::llt)
        factor_llt_kernel<S><<<fronts, w, 0, stream>>>(a);
    else if (a.kind == Factorization::lu)
        factor_lu_kernel<S><<<fronts, w, 0, stream>>>(a);
    else
        factor_ldlt_kernel<S><<<fronts, w, 0, stream>>>(a);
    check_launch("factor_step");
}

#define FROND_INSTANTIATE(S) template void launch_factor<S>(Stream, const StepArguments<S>&);
FROND_FOR_EACH_DEVICE_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
