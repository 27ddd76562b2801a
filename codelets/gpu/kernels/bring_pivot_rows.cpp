// SPDX-License-Identifier: BSD-3-Clause
#include "bring_pivot_rows.hpp"

#include "check.hpp"
#include "frond/base/instantiate.hpp"
#include "launch.hpp"
#include "pivot_tournament.hpp"

namespace frond::gpu {
namespace {

/// As many as have room in the shared memory that needs no asking for, a power of two.
template <class S>
constexpr int warps_of_tournament = sizeof(S) == 4 ? 4 : sizeof(S) == 8 ? 2 : 1;
constexpr unsigned swap_threads = 256, swap_blocks = 16;

/// The bits of all lanes of a group.
__device__ inline unsigned bits_of_lanes(unsigned bits) {
#pragma unroll
    for (int mask = 16; mask > 0; mask /= 2) bits |= value_across(bits, mask);
    return bits;
}

/// Which rows of the diagonal block leave it for the chosen ones from behind it. row: that lane t has chosen, or -1.
__device__ inline void note_swaps(RowSwaps& swaps, const FrontStep& step, index_t row, index_t t) {
    const bool comes = row >= step.end();
    const unsigned coming = bits_of_lanes(comes ? 1U << t : 0U);
    const unsigned staying = bits_of_lanes(row >= 0 && !comes ? 1U << (row - step.column) : 0U);
    const unsigned before = (1U << t) - 1;
    if (comes) swaps.outside[__popc(coming & before)] = row;
    if (t < step.width && (staying >> t & 1U) == 0) swaps.inside[__popc(~staying & before)] = step.column + t;
    if (t == 0) swaps.count = __popc(coming);
}

template <class S>
__global__ void __launch_bounds__(w* warps_of_tournament<S>)
    choose_rows_kernel(const SquareFront<S>* fronts, const FrontStep* steps) {
    constexpr index_t warps = warps_of_tournament<S>;
    __shared__ PivotCandidates<S> candidates[warps];
    __shared__ index_t winners[warps][w];
    const FrontStep step = steps[blockIdx.x];
    const SquareFront<S> f = fronts[step.front];
    const index_t warp = static_cast<index_t>(threadIdx.x) / w, t = static_cast<index_t>(threadIdx.x) % w;
    if (step.search_end <= step.end()) {
        if (threadIdx.x == 0) f.swaps->count = 0;
        return;
    }
    const auto row_of_group = [&](index_t group) {
        const index_t row = step.column + group * w + t;
        return row < step.search_end ? row : -1;
    };
    const index_t groups = (step.search_end - step.column + w - 1) / w;
    index_t kept = select_rows(candidates[warp], f, step, row_of_group(warp), row_of_group(warp + warps));
    for (index_t group = warp + 2 * warps; group < groups; group += warps)
        kept = select_rows(candidates[warp], f, step, kept, row_of_group(group));
    for (index_t half = warps / 2; half > 0; half /= 2) {
        winners[warp][t] = kept;
        __syncthreads();
        if (warp < half) kept = select_rows(candidates[warp], f, step, kept, winners[warp + half][t]);
        __syncthreads();
    }
    if (warp == 0) note_swaps(*f.swaps, step, kept, t);
}

template <class S>
__global__ void __launch_bounds__(swap_threads) swap_rows_kernel(const SquareFront<S>* fronts, const FrontStep* steps) {
    const FrontStep step = steps[blockIdx.x];
    const SquareFront<S> f = fronts[step.front];
    const RowSwaps& swaps = *f.swaps;
    const auto thread = static_cast<index_t>(blockIdx.y * swap_threads + threadIdx.x);
    const index_t count = swaps.count;
    const count_t all = static_cast<count_t>(count) * (f.order - step.left);
    for (count_t e = thread; e < all; e += swap_threads * swap_blocks) {
        const auto n = static_cast<index_t>(e % count);
        S* const column = f.data + (step.left + e / count) * f.ld;
        const S kept = column[swaps.inside[n]];
        column[swaps.inside[n]] = column[swaps.outside[n]];
        column[swaps.outside[n]] = kept;
    }
    if (thread >= count) return;
    const index_t kept = f.row_of[swaps.inside[thread]];
    f.row_of[swaps.inside[thread]] = f.row_of[swaps.outside[thread]];
    f.row_of[swaps.outside[thread]] = kept;
}

template <class S>
__global__ void begin_row_order_kernel(const SquareFront<S>* fronts) {
    const SquareFront<S> f = fronts[blockIdx.x];
    for (auto k = static_cast<index_t>(threadIdx.x); k < f.npiv; k += static_cast<index_t>(blockDim.x)) f.row_of[k] = k;
}

template <class S>
__global__ void end_row_order_kernel(const SquareFront<S>* fronts) {
    const SquareFront<S> f = fronts[blockIdx.x];
    for (auto k = static_cast<index_t>(threadIdx.x); k < f.npiv; k += static_cast<index_t>(blockDim.x))
        f.perm[k] = f.row_of[f.perm[k]];
}

template <class T>
const SquareFront<DeviceScalar<T>>* there(const SquareFront<T>* fronts) {
    return reinterpret_cast<const SquareFront<DeviceScalar<T>>*>(fronts);
}

}  // namespace

template <class T>
void begin_row_order(Stream stream, const SquareFront<T>* fronts, index_t count) {
    launch(stream, {static_cast<unsigned>(count), 128}, begin_row_order_kernel<DeviceScalar<T>>, there(fronts));
    check_launch("begin_row_order");
}

template <class T>
void bring_pivot_rows(Stream stream, const SquareFront<T>* fronts, const FrontStep* front_steps,
                      const StepLaunch& all) {
    using S = DeviceScalar<T>;
    const auto count = static_cast<unsigned>(all.count);
    const FrontStep* const steps = front_steps + all.first;
    launch(stream, {count, w * warps_of_tournament<S>}, choose_rows_kernel<S>, there(fronts), steps);
    check_launch("choose_rows");
    launch(stream, {dim3(count, swap_blocks), swap_threads}, swap_rows_kernel<S>, there(fronts), steps);
    check_launch("swap_rows");
}

template <class T>
void end_row_order(Stream stream, const SquareFront<T>* fronts, index_t count) {
    launch(stream, {static_cast<unsigned>(count), 128}, end_row_order_kernel<DeviceScalar<T>>, there(fronts));
    check_launch("end_row_order");
}

#define FROND_INSTANTIATE(T)                                                                                     \
    template void begin_row_order<T>(Stream, const SquareFront<T>*, index_t);                                     \
    template void bring_pivot_rows<T>(Stream, const SquareFront<T>*, const FrontStep*, const StepLaunch&);       \
    template void end_row_order<T>(Stream, const SquareFront<T>*, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
