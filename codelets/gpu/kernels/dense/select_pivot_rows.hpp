// SPDX-License-Identifier: BSD-3-Clause
// Selects, of up to 256 rows, those that L U with partial pivoting takes as pivot rows of a step, by a block of up to
// 128 threads: two rows a thread, by panels of columns in registers. Only the choice is kept. So a panel is loaded from
// the front when its turn comes, and changed by each panel before it: less L of that, times the inverse of its diagonal
// block, times its pivot rows.
#pragma once

#include "kernels/dense/selected_rows.hpp"

namespace frond::gpu {

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
