// SPDX-License-Identifier: BSD-3-Clause
// The diagonal block of every front of a step, by 32 threads a front.
#include "check.hpp"
#include "window_in_shared.hpp"

namespace frond::gpu {
namespace {

template <class S>
__global__ void __launch_bounds__(w) factor_step_kernel(StepArguments<S> a) {
    __shared__ DiagonalBlock<S> b;
    const FrontStep step = a.steps[blockIdx.x];
    const SquareFront<S> f = a.fronts[step.front];
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
    factor_step_kernel<S><<<static_cast<unsigned>(a.count), w, 0, stream>>>(a);
    check_launch("factor_step");
}

#define FROND_INSTANTIATE(S) template void launch_factor<S>(Stream, const StepArguments<S>&);
FROND_FOR_EACH_DEVICE_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
