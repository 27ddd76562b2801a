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
    bool is_last;  // see bring_pivot_rows.cpp

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

// Selects, of up to 256 rows, those that L U with partial pivoting takes as pivot rows of a step, by a block of up to
// 128 threads: two rows a thread, by panels of columns in registers. Only the choice is kept. So a panel is loaded from
// the front when its turn comes, and changed by each panel before it: less L of that, times the inverse of its diagonal
// block, times its pivot rows.

__device__ inline float reciprocal(float a) { return 1 / a; }
__device__ inline double reciprocal(double a) { return 1 / a; }
template <class R>
__device__ Complex<R> reciprocal(Complex<R> a) {
    const R scale = 1 / size_1(a);
    const Complex<R> unit = times_real(a, scale);  // else its square might overflow
    return times_real(conjugate(unit), scale / (unit.re * unit.re + unit.im * unit.im));
}

template <class S>
using PanelOfRows = S[rows_of_thread][columns_of_panel];

/// Columns first .. of the step, zeros where there are none.
template <class S>
__device__ void load_panel(PanelOfRows<S>& v, const DenseFront<S>& f, const FrontStep& step, const SelectedRows& rows,
                           index_t first) {
#pragma unroll
    for (index_t q = 0; q < columns_of_panel; ++q)
#pragma unroll
        for (int i = 0; i < rows_of_thread; ++i)
            v[i][q] = rows.row[i] >= 0 && first + q < step.width
                          ? f.data[rows.row[i] + (step.column + first + q) * f.ld]
                          : RealOf<S>::make(0);
}

/// Less what panel `before` takes from it. l: of the rows in that panel, see lift_panel. Rows that were chosen there or
/// before keep no values.
template <class S>
__device__ void subtract_panel(SelectionRoom<S>& room, PanelOfRows<S>& v, const PanelOfRows<S>& l,
                               const SelectedRows& rows, index_t before) {
#pragma unroll
    for (int i = 0; i < rows_of_thread; ++i) {
        if (rows.column[i] / columns_of_panel != before) continue;
#pragma unroll
        for (index_t q = 0; q < columns_of_panel; ++q)
            room.pivot_rows[before][rows.column[i] % columns_of_panel][q] = v[i][q];
    }
    __syncthreads();
#pragma unroll
    for (index_t k = 0; k < columns_of_panel; ++k)
#pragma unroll
        for (index_t q = 0; q < columns_of_panel; ++q) {
            const S pivot_row = room.pivot_rows[before][k][q];
#pragma unroll
            for (int i = 0; i < rows_of_thread; ++i) v[i][q] = v[i][q] - l[i][k] * pivot_row;
        }
}

/// The row of each warp with the largest entry in column q of the panel, to all.
template <class S>
__device__ void leave_candidates(SelectionRoom<S>& room, const PanelOfRows<S>& v, const SelectedRows& rows, int q) {
    const unsigned first = rank_of(rows, 0, size_1(v[0][q])), second = rank_of(rows, 1, size_1(v[1][q]));
    const unsigned largest = largest_of_lanes(max(first, second));
    const bool none = largest == 0, is_own = largest == first || largest == second;
    if (none ? threadIdx.x % w == 0 : is_own) {
        room.ranks[q][rows.warp()] = largest;
#pragma unroll
        for (index_t s = 0; s < columns_of_panel; ++s)
            room.candidates[q][rows.warp()][s] = none ? RealOf<S>::make(0) : largest == first ? v[0][s] : v[1][s];
    }
    __syncthreads();
}

/// L of the panel in the free rows, and the pivot rows of its columns. Without a pivot a column changes nothing.
/// warp_of[q]: whose candidate is the pivot row of column q.
template <class S>
__device__ void eliminate_panel(SelectionRoom<S>& room, PanelOfRows<S>& v, SelectedRows& rows, index_t first,
                                index_t (&warp_of)[columns_of_panel]) {
#pragma unroll
    for (int q = 0; q < columns_of_panel; ++q) {
        leave_candidates(room, v, rows, q);
        const unsigned largest = largest_rank(room.ranks[q]);
        const bool none = largest == 0;
        const index_t slot = none ? -1 : slot_of_rank(largest);
        warp_of[q] = none ? 0 : slot / (rows_of_thread * w);
        const S* const pivot_row = room.candidates[q][warp_of[q]];
        const S inverse = reciprocal(pivot_row[q]);
#pragma unroll
        for (int i = 0; i < rows_of_thread; ++i) {
            if (!rows.is_free(i)) continue;
            if (slot == rows.slot(i)) {
                rows.column[i] = first + q;
                room.chosen[first + q] = rows.row[i];
                continue;
            }
            v[i][q] = none ? RealOf<S>::make(0) : v[i][q] * inverse;
#pragma unroll
            for (int s = q + 1; s < columns_of_panel; ++s) v[i][s] = v[i][s] - v[i][q] * pivot_row[s];
        }
    }
}

/// L of the panel := L times the inverse of its diagonal block, so that pivot rows need not be solved for.
template <class S>
__device__ void lift_panel(const SelectionRoom<S>& room, PanelOfRows<S>& v,
                           const index_t (&warp_of)[columns_of_panel]) {
#pragma unroll
    for (int r = columns_of_panel - 1; r > 0; --r)
#pragma unroll
        for (int c = 0; c < r; ++c) {
            const S l = room.candidates[r][warp_of[r]][c];
#pragma unroll
            for (int i = 0; i < rows_of_thread; ++i) v[i][c] = v[i][c] - v[i][r] * l;
        }
}

/// room.chosen: the pivot rows of the step's columns. Where a column has none, no row that is left has anything there
/// that could be one. By all threads of the block, of which the rows are.
template <class S>
__device__ void select_pivot_rows(SelectionRoom<S>& room, const DenseFront<S>& f, const FrontStep& step,
                                  SelectedRows& rows) {
    PanelOfRows<S> l[panels_of_step - 1];  // in a thread's own memory: it alone reads them
    PanelOfRows<S> next;
    load_panel(next, f, step, rows, 0);
    room.clear();
#pragma unroll 1
    for (index_t panel = 0; panel * columns_of_panel < step.width; ++panel) {
        PanelOfRows<S> v;
#pragma unroll
        for (int i = 0; i < rows_of_thread; ++i)
#pragma unroll
            for (index_t q = 0; q < columns_of_panel; ++q) v[i][q] = next[i][q];
        const index_t first = panel * columns_of_panel;
        load_panel(next, f, step, rows, first + columns_of_panel);
#pragma unroll 1
        for (index_t before = 0; before < panel; ++before) subtract_panel(room, v, l[before], rows, before);
        index_t warp_of[columns_of_panel];
        eliminate_panel(room, v, rows, first, warp_of);
        if (first + columns_of_panel >= step.width) break;
        lift_panel(room, v, warp_of);
#pragma unroll
        for (int i = 0; i < rows_of_thread; ++i)
#pragma unroll
            for (index_t q = 0; q < columns_of_panel; ++q) l[panel][i][q] = v[i][q];
    }
    __syncthreads();
}

}  // namespace frond::gpu
