// SPDX-License-Identifier: BSD-3-Clause
// The rows that a block of threads selects pivot rows from, two a thread; which has the largest entry; and the memory that
// the threads share for that.
#pragma once

#include "kernels/lane_values.hpp"

namespace frond::gpu {

inline constexpr index_t rows_of_thread = 2, most_selected_from = 256;
inline constexpr index_t selecting_warps = most_selected_from / (rows_of_thread * w);
inline constexpr index_t columns_of_panel = 8, panels_of_step = w / columns_of_panel;

/// What a block of threads that selects rows has in its shared memory.
template <class S>
struct SelectionRoom {
    S candidates[columns_of_panel][selecting_warps][columns_of_panel];  // for each column, a row of each warp: L, U
    S pivot_rows[panels_of_step - 1][columns_of_panel][columns_of_panel];  // of panels before; zeros: there is none
    unsigned ranks[columns_of_panel][selecting_warps];
    index_t chosen[w];  // the pivot row of each column, or -1
    bool is_last;  // see pivot_tournament.hpp

    /// All threads call it.
    __device__ void clear() {
        constexpr index_t scalars = (panels_of_step - 1) * columns_of_panel * columns_of_panel;
        const auto t = static_cast<index_t>(threadIdx.x), threads = static_cast<index_t>(blockDim.x);
        for (index_t k = t; k < scalars; k += threads) (&pivot_rows[0][0][0])[k] = RealOf<S>::make(0);
        for (index_t k = t; k < columns_of_panel * selecting_warps; k += threads) (&ranks[0][0])[k] = 0;
        if (t < w) chosen[t] = -1;
        __syncthreads();
    }
};

/// The two rows of a thread. Slots are numbers of the block's rows: those of a warp follow each other.
struct SelectedRows {
    index_t row[rows_of_thread];  // of the front; -1: there is none
    index_t column[rows_of_thread];  // whose pivot it is, or one of:
    static constexpr index_t free = w, none = w + 1;

    __device__ static index_t warp() { return static_cast<index_t>(threadIdx.x) / w; }
    __device__ static index_t slot(int which) {
        return warp() * rows_of_thread * w + which * w + static_cast<index_t>(threadIdx.x) % w;
    }
    /// row_of_slot(slot): the row, or -1.
    template <class RowOfSlot>
    __device__ explicit SelectedRows(RowOfSlot row_of_slot) {
#pragma unroll
        for (int i = 0; i < rows_of_thread; ++i) {
            row[i] = row_of_slot(slot(i));
            column[i] = row[i] >= 0 ? free : none;
        }
    }
    __device__ bool is_free(int i) const { return column[i] == free; }
};

/// Bits that order as sizes do, 0 for NaN. The lowest 8 give way to the slot: sizes are compared to 12 bits (float:
/// 15), and of equals the first slot's is the largest.
__device__ inline unsigned size_bits(float size) { return size >= 0 ? __float_as_uint(size) : 0; }
__device__ inline unsigned size_bits(double size) {
    return size >= 0 ? static_cast<unsigned>(static_cast<unsigned long long>(__double_as_longlong(size)) >> 32) : 0;
}
/// Below it a number may have no reciprocal.
template <class R>
inline constexpr unsigned least_size_bits = sizeof(R) == 4 ? 0x00800000U : 0x00100000U;
inline constexpr unsigned slot_bits = most_selected_from - 1;

/// 0: the row is not free, or the size is none for a pivot.
template <class R>
__device__ unsigned rank_of(const SelectedRows& rows, int i, R size) {
    const unsigned bits = size_bits(size);
    return rows.is_free(i) && bits >= least_size_bits<R>
               ? (bits & ~slot_bits) | (slot_bits - static_cast<unsigned>(rows.slot(i)))
               : 0;
}

__device__ inline index_t slot_of_rank(unsigned rank) { return static_cast<index_t>(slot_bits - (rank & slot_bits)); }

/// The largest rank of the warps of the block, once they have left theirs.
__device__ inline unsigned largest_rank(const unsigned (&ranks)[selecting_warps]) {
    unsigned largest = ranks[0];
#pragma unroll
    for (index_t n = 1; n < selecting_warps; ++n) largest = max(largest, ranks[n]);
    return largest;
}

}  // namespace frond::gpu
