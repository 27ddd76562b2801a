// SPDX-License-Identifier: BSD-3-Clause
// The rows that give a step its pivots, by the blocks of threads that a front has. Each selects rows of its own; the
// one that ends last of those whose rows are to be compared goes on with what they have kept. Who meets whom depends on
// the number of rows alone, and the order of what is compared on the numbers of the selections: the choice is the same
// whichever block is last.
#include "bring_pivot_rows.hpp"

#include "check.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/launch.hpp"
#include "select_pivot_rows.hpp"

namespace frond::gpu {

static_assert(most_selected_from == selections_that_meet * step_columns, "what those that meet have kept");

/// Leaves what was chosen; true in the block that does so last of those that meet. All threads of the block.
template <class S>
__device__ bool ends_last(SelectionRoom<S>& room, PivotSelection& own, PivotSelection& following, index_t meeting) {
    if (threadIdx.x < w) {
        own.kept[threadIdx.x] = room.chosen[threadIdx.x];
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        const auto others = static_cast<unsigned>(meeting - 1);  // then the counter starts from zero again
        room.is_last = atomicInc(&following.arrived, others) == others;
    }
    __syncthreads();
    if (!room.is_last) return false;
    __threadfence();
    return true;
}

/// True in the block that has made the last selection, in room.chosen. All threads of a block; number: of the block
/// among first_selections(rows that are searched).
template <class S>
__device__ bool win_tournament(SelectionRoom<S>& room, const DenseFront<S>& f, const FrontStep& step, index_t number) {
    const index_t searched = step.search_end - step.column;
    index_t count = first_selections(searched);
    PivotSelection* selections = f.selections;
    SelectedRows rows([&](index_t slot) {
        const index_t row = number * most_selected_from + slot;
        return row < searched ? step.column + row : -1;
    });
#pragma unroll 1
    for (;;) {
        select_pivot_rows(room, f, step, rows);
        if (count == 1) return true;
        PivotSelection* const following = selections + count;
        const index_t first = number - number % selections_that_meet;
        const index_t meeting = min(selections_that_meet, count - first);
        if (!ends_last(room, selections[number], following[number / selections_that_meet], meeting)) return false;
        rows = SelectedRows(
            [&](index_t slot) { return slot / w < meeting ? selections[first + slot / w].kept[slot % w] : -1; });
        selections = following;
        number /= selections_that_meet;
        count = following_selections(count);
    }
}

namespace {

constexpr unsigned swap_threads = 256, swap_blocks = 16;
constexpr index_t swap_rounds = 4;  // columns whose loads come before the first store

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
__global__ void __launch_bounds__(w* selecting_warps)
    choose_rows_kernel(const DenseFront<S>* fronts, const FrontStep* steps) {
    __shared__ SelectionRoom<S> room;
    const FrontStep step = steps[blockIdx.x];
    const auto number = static_cast<index_t>(blockIdx.y), t = static_cast<index_t>(threadIdx.x);
    const bool searches = step.search_end > step.end();
    if (number >= (searches ? first_selections(step.search_end - step.column) : 1)) return;
    const DenseFront<S> f = fronts[step.front];
    if (!searches) {
        if (t == 0 && f.swaps != nullptr) f.swaps->count = 0;
        return;
    }
    if (win_tournament(room, f, step, number) && t < w) note_swaps(*f.swaps, step, room.chosen[t], t);
}

/// 32 threads a column, a pair of rows each.
template <class S>
__global__ void __launch_bounds__(swap_threads) swap_rows_kernel(const DenseFront<S>* fronts, const FrontStep* steps) {
    const FrontStep step = steps[blockIdx.x];
    const DenseFront<S> f = fronts[step.front];
    if (f.swaps == nullptr) return;
    const RowSwaps& swaps = *f.swaps;
    const auto thread = static_cast<index_t>(blockIdx.y * swap_threads + threadIdx.x);
    const index_t n = thread % w;
    if (n >= swaps.count) return;
    const index_t inside = swaps.inside[n], outside = swaps.outside[n];
    constexpr auto stride = static_cast<index_t>(swap_threads * swap_blocks) / w;
    for (index_t first = step.left + thread / w; first < f.columns(); first += swap_rounds * stride) {
        S in[swap_rounds], out[swap_rounds];
#pragma unroll
        for (index_t r = 0; r < swap_rounds; ++r) {
            if (first + r * stride >= f.columns()) break;
            const S* const column = f.data + (first + r * stride) * f.ld;
            in[r] = column[inside];
            out[r] = column[outside];
        }
#pragma unroll
        for (index_t r = 0; r < swap_rounds; ++r) {
            if (first + r * stride >= f.columns()) break;
            S* const column = f.data + (first + r * stride) * f.ld;
            column[inside] = out[r];
            column[outside] = in[r];
        }
    }
    if (thread >= w) return;
    const index_t kept = f.row_of[inside];
    f.row_of[inside] = f.row_of[outside];
    f.row_of[outside] = kept;
}

template <class S>
__global__ void begin_row_order_kernel(const DenseFront<S>* fronts) {
    const DenseFront<S> f = fronts[blockIdx.x];
    if (f.row_of == nullptr) return;
    for (auto k = static_cast<index_t>(threadIdx.x); k < f.npiv; k += static_cast<index_t>(blockDim.x)) f.row_of[k] = k;
}

template <class S>
__global__ void end_row_order_kernel(const DenseFront<S>* fronts) {
    const DenseFront<S> f = fronts[blockIdx.x];
    if (f.row_of == nullptr) return;
    for (auto k = static_cast<index_t>(threadIdx.x); k < f.npiv; k += static_cast<index_t>(blockDim.x))
        f.perm[k] = f.row_of[f.perm[k]];
}

template <class T>
const DenseFront<DeviceScalar<T>>* there(const DenseFront<T>* fronts) {
    return reinterpret_cast<const DenseFront<DeviceScalar<T>>*>(fronts);
}

}  // namespace

template <class T>
void begin_row_order(Stream stream, const DenseFront<T>* fronts, index_t count) {
    launch<DeviceScalar<T>, begin_row_order_kernel<DeviceScalar<T>>>(stream, {static_cast<unsigned>(count), 128},
                                                                     there(fronts));
    check_launch("begin_row_order");
}

template <class T>
void bring_pivot_rows(Stream stream, const DenseFront<T>* fronts, const FrontStep* front_steps, const StepLaunch& all) {
    using S = DeviceScalar<T>;
    const auto count = static_cast<unsigned>(all.count);
    const FrontStep* const steps = front_steps + all.first;
    const unsigned blocks = static_cast<unsigned>(first_selections(all.searched_rows));
    const unsigned warps = blocks > 1 ? selecting_warps : parts(all.searched_rows, rows_of_thread * w);
    launch<S, choose_rows_kernel<S>>(stream, {dim3(count, blocks), w * warps}, there(fronts), steps);
    check_launch("choose_rows");
    launch<S, swap_rows_kernel<S>>(stream, {dim3(count, swap_blocks), swap_threads}, there(fronts), steps);
    check_launch("swap_rows");
}

template <class T>
void end_row_order(Stream stream, const DenseFront<T>* fronts, index_t count) {
    launch<DeviceScalar<T>, end_row_order_kernel<DeviceScalar<T>>>(stream, {static_cast<unsigned>(count), 128},
                                                                   there(fronts));
    check_launch("end_row_order");
}

#define FROND_INSTANTIATE(T)                                                                              \
    template void begin_row_order<T>(Stream, const DenseFront<T>*, index_t);                              \
    template void bring_pivot_rows<T>(Stream, const DenseFront<T>*, const FrontStep*, const StepLaunch&); \
    template void end_row_order<T>(Stream, const DenseFront<T>*, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
