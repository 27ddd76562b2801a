// SPDX-License-Identifier: BSD-3-Clause
// L D L^T of a diagonal block of n <= step_columns columns by the first 32 threads of a block, in shared memory, a
// row each.
#pragma once

#include "kernels/lane_values.hpp"

namespace frond::gpu {

template <class S>
struct DiagonalBlock {
    S a[w][w + 1];
    S column[2][w];  // of the pivot, before it is divided
    S pivots[2 * w];
    index_t perm[w];
    bool failed[w];

    __device__ static index_t thread() { return static_cast<index_t>(threadIdx.x); }
    __device__ static index_t threads() { return w; }

    __device__ void swap_rows(index_t n, index_t p, index_t q) {
        const index_t t = thread();
        if (t < n) {
            const S row_p = a[p][t];
            a[p][t] = a[q][t];
            a[q][t] = row_p;
        }
        if (t == 0) {
            const index_t perm_p = perm[p];
            perm[p] = perm[q];
            perm[q] = perm_p;
        }
        sync_lanes();
    }

    __device__ void swap_both(index_t n, index_t p, index_t q) {
        if (p == q) return;
        swap_rows(n, p, q);
        const index_t t = thread();
        if (t < n) {
            const S at_p = a[t][p];
            a[t][p] = a[t][q];
            a[t][q] = at_p;
        }
        sync_lanes();
    }
};

/// The pivot of complete search (Bunch & Parlett 1971).
template <class R>
struct PivotChoice {
    index_t diagonal = 0, row = 0, column = 0;  // largest diagonal entry; largest entry off the diagonal
    R on_diagonal = 0, beside = 0;

    __device__ bool one_by_one() const { return on_diagonal >= R(0.6403882032022076) * beside; }
};

template <class S>
__device__ PivotChoice<DeviceReal<S>> choose_pivot(DiagonalBlock<S>& b, index_t n, index_t k) {
    using R = DeviceReal<S>;
    const index_t t = b.thread();
    PivotChoice<R> choice;
    R diagonal = -1, beside = -1;
    index_t place = k;
    if (t >= k && t < n) {
        diagonal = size_1(b.a[t][t]);
        for (index_t j = k; j < t; ++j) {
            const R size = size_1(b.a[t][j]);
            if (size > beside) beside = size, place = j;
        }
    }
    choice.diagonal = lane_of_largest(diagonal, t);
    choice.row = lane_of_largest(beside, t);
    choice.column = value_of_lane(place, choice.row);
    choice.on_diagonal = diagonal > 0 ? diagonal : R(0);
    choice.beside = beside > 0 ? beside : R(0);
    return choice;
}

/// The pivot of columns k .. k + size.
template <class S>
struct BlockPivot {
    index_t k, size;
    S d, e, d2;  // D; e and d2 of 2 x 2

    __device__ static BlockPivot at(const DiagonalBlock<S>& b, index_t k, index_t size) {
        const S d = b.a[k][k];
        return {k, size, d, size == 2 ? b.a[k + 1][k] : RealOf<S>::make(0), size == 2 ? b.a[k + 1][k + 1] : d};
    }
    __device__ index_t end() const { return k + size; }
};

/// The columns of L in row t below the pivot, whose entries before go to b.column.
template <class S>
__device__ void divide_row(DiagonalBlock<S>& b, index_t t, const BlockPivot<S>& pivot, bool hermitian) {
    const index_t k = pivot.k;
    const S x = b.a[t][k], y = pivot.size == 2 ? b.a[t][k + 1] : x;
    b.column[0][t] = hermitian ? conjugate(x) : x;
    b.column[1][t] = hermitian ? conjugate(y) : y;
    if (pivot.size == 2) {
        const TwoByTwoInverse<S> inverse(pivot.d, pivot.e, pivot.d2, hermitian);
        b.a[t][k] = x * inverse.a11 + y * inverse.a21;
        b.a[t][k + 1] = x * inverse.a12 + y * inverse.a22;
    } else {
        b.a[t][k] = x / pivot.d;
    }
}

/// D, and the unit block of L instead of it.
template <class S>
__device__ void store_pivot(DiagonalBlock<S>& b, const BlockPivot<S>& pivot) {
    const index_t k = pivot.k;
    b.pivots[2 * k] = pivot.d;
    b.pivots[2 * k + 1] = pivot.e;
    b.a[k][k] = RealOf<S>::make(1);
    if (pivot.size == 2) {
        b.pivots[2 * k + 2] = pivot.d2;
        b.pivots[2 * k + 3] = RealOf<S>::make(0);
        b.a[k + 1][k] = RealOf<S>::make(0);
        b.a[k + 1][k + 1] = RealOf<S>::make(1);
    }
}

/// What the pivot leaves of row t behind it.
template <class S>
__device__ void update_row(DiagonalBlock<S>& b, index_t n, index_t t, const BlockPivot<S>& pivot, bool hermitian) {
    const S x = b.a[t][pivot.k], y = pivot.size == 2 ? b.a[t][pivot.k + 1] : RealOf<S>::make(0);
    constexpr index_t rounds = 4;  // whose loads come before the first store
    for (index_t first = pivot.end(); first < n; first += rounds) {
        S value[rounds];
#pragma unroll
        for (index_t r = 0; r < rounds; ++r) {
            const index_t j = min(first + r, n - 1);
            value[r] = b.a[t][j] - x * b.column[0][j];
            if (pivot.size == 2) value[r] = value[r] - y * b.column[1][j];
            if (hermitian && t == j) value[r] = RealOf<S>::make(real_part(value[r]));
        }
#pragma unroll
        for (index_t r = 0; r < rounds; ++r)
            if (first + r < n) b.a[t][first + r] = value[r];
    }
}

/// Columns k .. k + size of L, and what they leave in both triangles, each thread in its row.
template <class S>
__device__ void eliminate_pivot(DiagonalBlock<S>& b, index_t n, index_t k, index_t size, bool hermitian) {
    const index_t t = b.thread();
    const auto pivot = BlockPivot<S>::at(b, k, size);
    const bool is_below = t >= pivot.end() && t < n;
    sync_lanes();
    if (is_below) divide_row(b, t, pivot, hermitian);
    if (t == 0) store_pivot(b, pivot);
    sync_lanes();
    if (is_below) update_row(b, n, t, pivot, hermitian);
    sync_lanes();
}

/// Stands for a pivot where there is none: so large that nothing is left of its column.
template <class S>
__device__ S excluding_pivot() {
    return RealOf<S>::make(DeviceReal<S>(1e30));
}

/// Columns k .. n - 1, none of which has a pivot.
template <class S>
__device__ void exclude_columns(DiagonalBlock<S>& b, index_t n, index_t k) {
    const index_t t = b.thread();
    if (t >= k && t < n) {
        for (index_t j = k; j < n; ++j) b.a[t][j] = RealOf<S>::make(t == j ? 1 : 0);
        b.pivots[2 * t] = excluding_pivot<S>();
        b.pivots[2 * t + 1] = RealOf<S>::make(0);
        b.failed[t] = true;
    }
    sync_lanes();
}

/// P A P^T = L D L^T (L D L^H). False: some column has no pivot.
template <class S>
__device__ bool factor_ldlt(DiagonalBlock<S>& b, index_t n, bool hermitian, DeviceReal<S> smallest) {
    for (index_t k = 0; k < n;) {
        const auto choice = choose_pivot(b, n, k);
        if (choice.one_by_one()) {
            if (!(choice.on_diagonal > smallest)) return exclude_columns(b, n, k), false;
            b.swap_both(n, k, choice.diagonal);
            eliminate_pivot(b, n, k++, 1, hermitian);
            continue;
        }
        // |det| >= 0.58 beside^2 (complex symmetric: 0.18, as sizes are |re| + |im|): the smaller singular value
        // is at least a sixth (a sixteenth) of the largest entry.
        if (!(choice.beside > (hermitian || !is_complex_scalar<S> ? 8 : 20) * smallest))
            return exclude_columns(b, n, k), false;
        b.swap_both(n, k, choice.column);
        b.swap_both(n, k + 1, choice.row);
        eliminate_pivot(b, n, k, 2, hermitian);
        k += 2;
    }
    return true;
}

}  // namespace frond::gpu
