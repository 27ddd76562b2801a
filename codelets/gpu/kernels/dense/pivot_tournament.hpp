// SPDX-License-Identifier: BSD-3-Clause
// The rows that give a step its pivots, by the blocks of threads that a front has. Each selects rows of its own; the
// one that ends last of those whose rows are to be compared goes on with what they have kept. Who meets whom depends on
// the number of rows alone, and the order of what is compared on the numbers of the selections: the choice is the same
// whichever block is last.
#pragma once

#include "bring_pivot_rows.hpp"
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

}  // namespace frond::gpu
