// SPDX-License-Identifier: BSD-3-Clause
// The diagonal block of every front of a step, in shared memory: one block of threads a front.
#include "check.hpp"
#include "diagonal_block.hpp"
#include "step_kernels.hpp"

namespace frond::gpu {
namespace {

/// Symmetric kinds: both triangles, Hermitian as such.
template <class S>
__device__ void load(DiagonalBlock<S>& b, const SquareFront<S>& f, const FrontStep& step, Factorization kind) {
    const S* const from = f.data + step.column * (1 + f.ld);
    for (index_t e = b.thread(); e < w * w; e += b.threads()) {
        const index_t i = e % w, j = e / w;
        S value = RealOf<S>::make(0);
        if (i < step.width && j < step.width) {
            const bool mirrored = kind != Factorization::lu && i < j;
            value = mirrored ? from[j + i * f.ld] : from[i + j * f.ld];
            if (kind == Factorization::ldlh || kind == Factorization::llt) {
                if (mirrored) value = conjugate(value);
                if (i == j) value = RealOf<S>::make(real_part(value));
            }
        }
        b.a[i][j] = value;
    }
    if (b.thread() < w) b.perm[b.thread()] = b.thread();
    if (b.thread() < 2 * w) b.pivots[b.thread()] = RealOf<S>::make(0);
    __syncthreads();
}

template <class S>
__device__ void store(const DiagonalBlock<S>& b, const SquareFront<S>& f, const FrontStep& step, Factorization kind) {
    S* const to = f.data + step.column * (1 + f.ld);
    for (index_t e = b.thread(); e < w * w; e += b.threads()) {
        const index_t i = e % w, j = e / w;
        if (i >= step.width || j >= step.width) continue;
        if (kind == Factorization::lu || i >= j) to[i + j * f.ld] = b.a[i][j];
    }
    if (kind == Factorization::llt || b.thread() >= step.width) return;
    f.perm[step.column + b.thread()] = step.column + b.perm[b.thread()];
    if (kind == Factorization::lu) return;
    f.pivots[2 * (step.column + b.thread())] = b.pivots[2 * b.thread()];
    f.pivots[2 * (step.column + b.thread()) + 1] = b.pivots[2 * b.thread() + 1];
}

/// Rows of L left of the block go where their pivots went.
template <class S>
__device__ void permute_left(DiagonalBlock<S>& b, const SquareFront<S>& f, const FrontStep& step) {
    for (index_t first = 0; first < step.column; first += w) {
        __syncthreads();
        S* const rows = f.data + step.column + first * f.ld;
        for (index_t e = b.thread(); e < w * w; e += b.threads()) {
            const index_t i = e % w, j = e / w;
            if (i < step.width && first + j < step.column) b.a[i][j] = rows[i + j * f.ld];
        }
        __syncthreads();
        for (index_t e = b.thread(); e < w * w; e += b.threads()) {
            const index_t i = e % w, j = e / w;
            if (i < step.width && first + j < step.column) rows[i + j * f.ld] = b.a[b.perm[i]][j];
        }
    }
}

template <class S>
__global__ void __launch_bounds__(256) factor_step_kernel(StepArguments<S> a) {
    __shared__ DiagonalBlock<S> b;
    const FrontStep step = a.steps[blockIdx.x];
    const SquareFront<S> f = a.fronts[step.front];
    load(b, f, step, a.kind);
    bool good;
    if (a.kind == Factorization::llt)
        good = factor_llt(b, step.width);
    else if (a.kind == Factorization::lu)
        good = factor_lu(b, step.width, a.smallest_pivot);
    else
        good = factor_ldlt(b, step.width, a.kind == Factorization::ldlh, a.smallest_pivot);
    __syncthreads();
    if (!good && b.thread() == 0) a.answer->failed = 1;
    store(b, f, step, a.kind);
    if (a.kind != Factorization::llt) permute_left(b, f, step);
}

}  // namespace

template <class S>
void launch_factor(Stream stream, const StepArguments<S>& a) {
    factor_step_kernel<S><<<static_cast<unsigned>(a.count), 256, 0, stream>>>(a);
    check_launch("factor_step");
}

#define FROND_INSTANTIATE(S) template void launch_factor<S>(Stream, const StepArguments<S>&);
FROND_FOR_EACH_DEVICE_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
