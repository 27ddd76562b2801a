// SPDX-License-Identifier: BSD-3-Clause
// L L^H and L U of a diagonal block of n <= step_columns columns by the first 32 threads of a block, a row each, by
// panels of columns whose entries of the row are in registers. Code that is short and run again beats code that is
// unrolled: instructions are fetched anew for every block. Zeros beyond n.
// The functions return the same value in every lane: false when there is no pivot above `smallest` for some column.
#include "check.hpp"
#include "diagonal_block.hpp"
#include "kernels/copy_in_rounds.hpp"
#include "kernels/launch.hpp"

namespace frond::gpu {

inline constexpr index_t panel_columns = 8;

/// L L^H of the lower triangle.
template <class S>
__device__ bool factor_llt(DiagonalBlock<S>& b, index_t n) {
    using R = DeviceReal<S>;
    const index_t t = b.thread();
    bool good = true;
    for (index_t first = 0; first < n; first += panel_columns) {
        S v[panel_columns];
#pragma unroll
        for (index_t q = 0; q < panel_columns; ++q) v[q] = b.a[t][first + q];
#pragma unroll 2
        for (index_t k = 0; k < first; ++k) {
            const S own = b.a[t][k];
#pragma unroll
            for (index_t q = 0; q < panel_columns; ++q) v[q] = v[q] - own * conjugate(b.a[first + q][k]);
        }
#pragma unroll
        for (index_t q = 0; q < panel_columns; ++q) {
            const R d = real_part(value_of_lane(v[q], first + q));
            good = good && (first + q >= n || (d > 0 && d < R(INFINITY)));
            const R inverse = reciprocal_root(d);
            v[q] = t == first + q ? RealOf<S>::make(d * inverse) : times_real(v[q], inverse);
#pragma unroll
            for (index_t s = q + 1; s < panel_columns; ++s)
                v[s] = v[s] - v[q] * conjugate(value_of_lane(v[q], first + s));
        }
#pragma unroll
        for (index_t q = 0; q < panel_columns; ++q)
            if (t >= first + q && first + q < n) b.a[t][first + q] = v[q];
        sync_lanes();
    }
    return good;
}

/// Rows go where their pivots are.
template <class S>
__device__ void move_rows(DiagonalBlock<S>& b, index_t to) {
    for (index_t first = 0; first < w; first += panel_columns) {
        S v[panel_columns];
#pragma unroll
        for (index_t q = 0; q < panel_columns; ++q) v[q] = b.a[b.thread()][first + q];
        sync_lanes();
#pragma unroll
        for (index_t q = 0; q < panel_columns; ++q) b.a[to][first + q] = v[q];
        sync_lanes();
    }
}

/// To columns without a pivot go the rows that are no pivots.
template <class S>
__device__ void give_rows_left(DiagonalBlock<S>& b, index_t& to, unsigned excluded) {
    const index_t t = b.thread();
    for (index_t column = 0; column < w; ++column) {
        if ((excluded >> column & 1U) == 0) continue;
        DeviceReal<S> left = to == w ? 0 : -1;
        if (t == lane_of_largest(left, t)) {
            to = column;
            b.perm[column] = t;
            b.failed[column] = true;
            b.a[t][column] = excluding_pivot<S>();
        }
    }
    sync_lanes();
}

/// Where the row of a lane goes in L U; rows stay in their lanes until the end.
struct RowPlace {
    index_t to;  // w: has been no pivot yet
    unsigned excluded = 0;  // columns without a pivot, bit by bit
};

/// The pivots of columns first .. first + panel_columns, whose entries of the lane's row are v. False: an entry is not a number.
template <class S>
__device__ bool eliminate_panel(DiagonalBlock<S>& b, index_t n, index_t first, DeviceReal<S> smallest, RowPlace& row,
                                S (&v)[panel_columns]) {
    using R = DeviceReal<S>;
    const index_t t = b.thread();
#pragma unroll
    for (index_t q = 0; q < panel_columns; ++q) {
        if (first + q >= n) break;
        R largest = row.to == w ? size_1(v[q]) : R(-1);
        const index_t pivot_lane = lane_of_largest(largest, t);
        if (!(largest > smallest)) {
            if (!(largest >= 0)) return false;  // no number: nothing can be said of what follows
            row.excluded |= 1U << (first + q);
            if (row.to == w) v[q] = RealOf<S>::make(0);
            if (t == 0) b.perm[first + q] = 0;
            continue;
        }
        if (t == pivot_lane) row.to = first + q, b.perm[first + q] = t;
        const bool below = row.to == w;
        const S pivot = value_of_lane(v[q], pivot_lane);
        if (below) v[q] = v[q] / pivot;
#pragma unroll
        for (index_t s = q + 1; s < panel_columns; ++s) {
            const S upper = value_of_lane(v[s], pivot_lane);
            if (below) v[s] = v[s] - v[q] * upper;
        }
    }
    return true;
}

/// P A = L U, the largest pivot of each column.
template <class S>
__device__ bool factor_lu(DiagonalBlock<S>& b, index_t n, DeviceReal<S> smallest) {
    const index_t t = b.thread();
    RowPlace row{t < n ? w : t};
    for (index_t first = 0; first < n; first += panel_columns) {
        S v[panel_columns];
#pragma unroll
        for (index_t q = 0; q < panel_columns; ++q) v[q] = b.a[t][first + q];
        for (index_t k = 0; k < first; ++k) {
            const index_t pivot_lane = b.perm[k];
            const S l = row.to > k ? b.a[t][k] : RealOf<S>::make(0);
#pragma unroll
            for (index_t q = 0; q < panel_columns; ++q) v[q] = v[q] - l * value_of_lane(v[q], pivot_lane);
        }
        if (!eliminate_panel(b, n, first, smallest, row, v)) return false;
#pragma unroll
        for (index_t q = 0; q < panel_columns; ++q) b.a[t][first + q] = v[q];
        sync_lanes();
    }
    if (row.excluded != 0) give_rows_left(b, row.to, row.excluded);
    move_rows(b, row.to);
    return row.excluded == 0;
}

// The diagonal block of every front of a step, by 32 threads a front.

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
