// SPDX-License-Identifier: BSD-3-Clause
// The rows that give a step its pivots, by the warps of one block of threads.
#pragma once

#include "lane_values.hpp"

namespace frond::gpu {

/// Two sets of rows that 32 threads compare, two rows each.
template <class S>
struct PivotCandidates {
    S a[2 * w][w + 1];

    /// Rows t and t + w of the columns of a step; row < 0: there is none.
    __device__ void load(const SquareFront<S>& f, const FrontStep& step, const index_t (&row)[2], index_t t) {
        constexpr index_t rounds = 8;
        for (index_t first = 0; first < step.width; first += rounds) {
            S value[2][rounds];
#pragma unroll
            for (index_t r = 0; r < rounds; ++r)
#pragma unroll
                for (int half = 0; half < 2; ++half)
                    if (row[half] >= 0 && first + r < step.width)
                        value[half][r] = f.data[row[half] + (step.column + first + r) * f.ld];
#pragma unroll
            for (index_t r = 0; r < rounds; ++r)
#pragma unroll
                for (int half = 0; half < 2; ++half)
                    if (row[half] >= 0 && first + r < step.width) a[t + half * w][first + r] = value[half][r];
        }
        sync_lanes();
    }

    __device__ void eliminate(index_t slot, index_t pivot_slot, index_t k, index_t width) {
        const S l = a[slot][k] / a[pivot_slot][k];
        for (index_t j = k + 1; j < width; ++j) a[slot][j] = a[slot][j] - l * a[pivot_slot][j];
    }
};

/// Which of the two rows of a lane may still be chosen, and what was chosen so far.
struct PivotSelection {
    bool free[2];
    index_t chosen = -1, count = 0;  // chosen: number of the row that lane `count` got

    /// The row of the lane that has the largest size; false: no size is above 0. NaN is none.
    template <class R>
    __device__ bool take_largest(R first, R second, index_t t, index_t& slot) {
        if (!free[0] || !(first >= 0)) first = -1;
        if (!free[1] || !(second >= 0)) second = -1;
        const bool is_second = second > first;
        R largest = is_second ? second : first;
        const index_t lane = lane_of_largest(largest, t);
        if (!(largest > 0)) return false;
        slot = value_of_lane(is_second ? t + w : t, static_cast<int>(lane));
        if (t == lane) free[is_second ? 1 : 0] = false;
        if (t == count) chosen = slot;
        ++count;
        return true;
    }
};

/// The pivot rows of L U with partial pivoting of two sets of rows, one of each in a lane: lane t gets the row of pivot
/// t. Columns without a pivot take rows that are left. By 32 threads.
template <class S>
__device__ index_t select_rows(PivotCandidates<S>& c, const SquareFront<S>& f, const FrontStep& step, index_t own,
                               index_t other) {
    const index_t t = static_cast<index_t>(threadIdx.x) % w;
    const index_t row[2] = {own, other};
    c.load(f, step, row, t);
    PivotSelection selection{{own >= 0, other >= 0}};
    index_t slot = 0;
    for (index_t k = 0; k < step.width; ++k) {
        if (selection.take_largest(size_1(c.a[t][k]), size_1(c.a[t + w][k]), t, slot)) {
            if (selection.free[0]) c.eliminate(t, slot, k, step.width);
            if (selection.free[1]) c.eliminate(t + w, slot, k, step.width);
        }
        sync_lanes();
    }
    while (selection.count < step.width && selection.take_largest(1.0F, 1.0F, t, slot)) continue;
    const index_t from = selection.chosen < 0 ? 0 : selection.chosen;
    const index_t first = value_of_lane(own, static_cast<int>(from % w)), second = value_of_lane(other, static_cast<int>(from % w));
    return selection.chosen < 0 ? -1 : from < w ? first : second;
}

}  // namespace frond::gpu
