// SPDX-License-Identifier: BSD-3-Clause
// The diagonal block of every front of a step, by 32 threads a front.
#include "block_by_panels.hpp"
#include "check.hpp"
#include "kernels/copy_in_rounds.hpp"
#include "kernels/launch.hpp"

namespace frond::gpu {
namespace {

/// Both triangles of a column-major block (Hermitian as such), zeros beyond n; by 32 threads.
template <class S>
__device__ void load_block(DiagonalBlock<S>& b, const S* from, count_t ld, index_t n, Factorization kind) {
    const bool general = kind == Factorization::lu;
    const index_t t = b.thread();
    constexpr index_t rounds = 8;
    for (index_t first = 0; first < w; first += rounds) {
        S value[rounds];
#pragma unroll
        for (index_t r = 0; r < rounds; ++r) {
            const index_t j = first + r;
            value[r] = RealOf<S>::make(0);
            if (t >= n || j >= n) continue;
            const bool mirrored = !general && t < j;
            value[r] = mirrored ? from[j + t * ld] : from[t + j * ld];
            if (kind == Factorization::ldlh && mirrored) value[r] = conjugate(value[r]);
            if (kind == Factorization::ldlh && t == j) value[r] = RealOf<S>::make(real_part(value[r]));
        }
#pragma unroll
        for (index_t r = 0; r < rounds; ++r) b.a[t][first + r] = value[r];
    }
    b.perm[t] = t;
    b.failed[t] = false;
    b.pivots[2 * t] = b.pivots[2 * t + 1] = RealOf<S>::make(0);
    sync_lanes();
}

template <class S>
__device__ bool factor_block(DiagonalBlock<S>& b, index_t n, Factorization kind, DeviceReal<S> smallest) {
    const bool good = kind == Factorization::llt  ? factor_llt(b, n)
                      : kind == Factorization::lu ? factor_lu(b, n, smallest)
                                                  : factor_ldlt(b, n, kind == Factorization::ldlh, smallest);
    sync_lanes();
    return good;
}

/// Pivots of n columns and their order, to the front.
template <class S>
__device__ void store_pivots(const DiagonalBlock<S>& b, const DenseFront<S>& f, index_t column, index_t n,
                             Factorization kind) {
    const index_t t = b.thread();
    if (t >= n || kind == Factorization::llt) return;
    f.perm[column + t] = column + b.perm[t];
    if (b.failed[t] && f.marks != nullptr) f.marks[column + t].how = PivotMark::excluded;
    if (kind == Factorization::lu) return;
    f.pivots[2 * (column + t)] = b.pivots[2 * t];
    f.pivots[2 * (column + t) + 1] = b.pivots[2 * t + 1];
}

template <class S>
__global__ void __launch_bounds__(w) factor_step_kernel(StepArguments<S> a) {
    __shared__ DiagonalBlock<S> b;
    const FrontStep step = a.steps[blockIdx.x];
    const DenseFront<S> f = a.fronts[step.front];
    S* const block = f.data + step.column * (1 + f.ld);
    const index_t n = step.width;
    load_block(b, block, f.ld, n, a.kind);
    const bool good = factor_block(b, n, a.kind, a.smallest_pivot());
    if (!good && b.thread() == 0) a.answer->failed = 1;
    const bool general = a.kind == Factorization::lu;
    copy_in_rounds<S>(
        n * w, [&](index_t e) { return b.a[e % w][e / w]; },
        [&](index_t e, S value) {
            if (e % w < n && (general || e % w >= e / w)) block[e % w + e / w * f.ld] = value;
        });
    store_pivots(b, f, step.column, n, a.kind);
}

}  // namespace

template <class S>
void launch_factor(Stream stream, const StepArguments<S>& a) {
    launch<S, factor_step_kernel<S>>(stream, {static_cast<unsigned>(a.count), w}, a);
    check_launch("factor_step");
}

#define FROND_INSTANTIATE(S) template void launch_factor<S>(Stream, const StepArguments<S>&);
FROND_FOR_EACH_DEVICE_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
