// SPDX-License-Identifier: BSD-3-Clause
// The diagonal block of every front of a wide step, in shared memory, by one block of threads each.
#include "check.hpp"
#include "window_in_shared.hpp"

namespace frond::gpu {
namespace {

constexpr unsigned threads = 256;

template <class S>
std::size_t square_bytes(index_t columns) {
    return static_cast<std::size_t>(columns) * static_cast<std::size_t>(columns | 1) * sizeof(S);
}

template <class S>
__device__ void copy_square(const SharedSquare<S>& a, S* there, count_t ld, bool in, bool lower_only) {
    const index_t n = a.order;
    const auto wanted = [&](index_t e) { return !lower_only || e % n >= e / n; };
    copy_in_rounds<S>(
        n * n,
        [&](index_t e) {
            if (!wanted(e)) return RealOf<S>::make(0);
            return in ? there[e % n + e / n * ld] : a(e % n, e / n);
        },
        [&](index_t e, S value) {
            if (wanted(e)) (in ? a(e % n, e / n) : there[e % n + e / n * ld]) = value;
        });
}

template <class S>
__global__ void __launch_bounds__(threads) wide_factor_kernel(StepArguments<S> a) {
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ WindowScratch<S> scratch;
    const FrontStep step = a.steps[blockIdx.x];
    const SquareFront<S> f = a.fronts[step.front];
    S* const there = f.data + step.column * (1 + f.ld);
    const SharedSquare<S> square{reinterpret_cast<S*>(memory), step.width | 1, step.width};
    const bool general = a.kind == Factorization::lu;
    copy_square(square, there, f.ld, true, !general);
    __syncthreads();
    DeviceReal<S> largest = 0;
    for (index_t k = 0, first = 0; first < step.width; first += step.windows[k++]) {
        const index_t n = step.windows[k];
        const DeviceReal<S> size = eliminate_window(square, scratch, first, n, a.kind, a.smallest_pivot());
        largest = size > largest ? size : largest;
        if (threadIdx.x < w) store_pivots(scratch.block, f, step.column + first, n, a.kind);
        if (!scratch.good) {
            if (threadIdx.x == 0) a.answer->failed = 1;
            return;
        }
        __syncthreads();
    }
    copy_square(square, there, f.ld, false, !general);
    report_largest(a, largest);
}

}  // namespace

template <class S>
void launch_wide_factor(Stream stream, const StepArguments<S>& a, index_t columns) {
    const std::size_t bytes = square_bytes<S>(columns);
    check(FROND_GPU(FuncSetAttribute)(reinterpret_cast<const void*>(&wide_factor_kernel<S>),
                                      FROND_GPU(FuncAttributeMaxDynamicSharedMemorySize), static_cast<int>(bytes)),
          "asking for shared memory");
    wide_factor_kernel<S><<<static_cast<unsigned>(a.count), threads, bytes, stream>>>(a);
    check_launch("wide_factor");
}

template <class S>
std::size_t wide_factor_bytes(index_t columns) {
    return square_bytes<S>(columns) + sizeof(WindowScratch<S>) + 64;
}

#define FROND_INSTANTIATE(S)                                                        \
    template void launch_wide_factor<S>(Stream, const StepArguments<S>&, index_t); \
    template std::size_t wide_factor_bytes<S>(index_t);
FROND_FOR_EACH_DEVICE_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
