// SPDX-License-Identifier: BSD-3-Clause
// Elimination inside a square block in shared memory, a window of at most step_columns pivots at a time, by all
// threads of a block. Pivots are searched for inside the window, as by the steps of eliminate.hpp.
#pragma once

#include "block_by_panels.hpp"
#include "copy_in_rounds.hpp"

namespace frond::gpu {

/// Column-major. Symmetric kinds: the lower triangle holds the block, the upper one D L^H of eliminated columns.
template <class S>
struct SharedSquare {
    S* data;
    index_t ld, order;

    __device__ S& operator()(index_t i, index_t j) const { return data[i + j * ld]; }
};

template <class S>
struct WindowScratch {
    DiagonalBlock<S> block;
    PivotInverses<S> pivots;
    S inverse_diagonal[w];
    bool good;
};

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
__device__ void store_pivots(const DiagonalBlock<S>& b, const SquareFront<S>& f, index_t column, index_t n,
                             Factorization kind) {
    const index_t t = b.thread();
    if (t >= n || kind == Factorization::llt) return;
    f.perm[column + t] = column + b.perm[t];
    if (kind == Factorization::lu) return;
    f.pivots[2 * (column + t)] = b.pivots[2 * t];
    f.pivots[2 * (column + t) + 1] = b.pivots[2 * t + 1];
}

/// The window goes to scratch, is factored there by 32 threads, and comes back.
template <class S>
__device__ void factor_window(const SharedSquare<S>& a, WindowScratch<S>& s, index_t first, index_t n,
                              Factorization kind, DeviceReal<S> smallest) {
    DiagonalBlock<S>& b = s.block;
    const index_t t = b.thread();
    const bool general = kind == Factorization::lu;
    load_block(b, &a(first, first), a.ld, n, kind);
    const bool good = factor_block(b, n, kind, smallest);
    if (t == 0) s.good = good;
    const bool divided = t < n && (general || kind == Factorization::llt);
    s.inverse_diagonal[t] = divided ? RealOf<S>::make(1) / b.a[t][t] : RealOf<S>::make(1);
    if (t < n && !general && kind != Factorization::llt) s.pivots.load(b.pivots, kind == Factorization::ldlh, t);
    constexpr index_t rounds = 8;
    for (index_t begin = 0; begin < n; begin += rounds) {
        S value[rounds];
#pragma unroll
        for (index_t r = 0; r < rounds; ++r) value[r] = b.a[t][begin + r];
#pragma unroll
        for (index_t r = 0; r < rounds; ++r)
            if (t < n && begin + r < n && (general || t >= begin + r)) a(first + t, first + begin + r) = value[r];
    }
}

/// What is beside the window follows its pivot order: rows left of it; L U: and right of it; L D L^T: columns below.
/// 32 threads bring one row or column at a time.
template <class S>
__device__ void permute_beside(const SharedSquare<S>& a, const WindowScratch<S>& s, index_t first, index_t n,
                               bool general) {
    const index_t lane = static_cast<index_t>(threadIdx.x) % w, group = static_cast<index_t>(threadIdx.x) / w;
    const index_t groups = static_cast<index_t>(blockDim.x) / w, end = first + n;
    const index_t from = lane < n ? s.block.perm[lane] : lane;
    for (index_t j = group; j < a.order; j += groups) {
        if (j >= first && j < end) continue;
        const bool row_below = j >= end && !general;
        S value = RealOf<S>::make(0);
        if (lane < n) value = row_below ? a(j, first + from) : a(first + from, j);
        sync_lanes();
        if (lane < n) (row_below ? a(j, first + lane) : a(first + lane, j)) = value;
    }
}

/// x := diagonal * (x - lower x), entry by entry, x[k] at x[k * stride].
template <class S, class Lower>
__device__ void substitute(S* x, index_t stride, index_t n, const S* diagonal, Lower lower) {
    constexpr index_t each = 8;
    for (index_t first = 0; first < n; first += each) {
        S v[each];
#pragma unroll
        for (index_t q = 0; q < each; ++q) v[q] = first + q < n ? x[(first + q) * stride] : RealOf<S>::make(0);
        for (index_t k = 0; k < first; ++k) {
            const S known = x[k * stride];
#pragma unroll
            for (index_t q = 0; q < each; ++q) v[q] = v[q] - lower(first + q, k) * known;
        }
#pragma unroll
        for (index_t q = 0; q < each; ++q) {
            if (diagonal != nullptr) v[q] = v[q] * diagonal[first + q];
#pragma unroll
            for (index_t p = q + 1; p < each; ++p) v[p] = v[p] - lower(first + p, first + q) * v[q];
        }
#pragma unroll
        for (index_t q = 0; q < each; ++q)
            if (first + q < n) x[(first + q) * stride] = v[q];
    }
}

/// Row i of the square behind the window becomes one of L, D L^H goes above the diagonal; returns its largest entry.
template <class S>
__device__ DeviceReal<S> solve_symmetric_row(const SharedSquare<S>& a, const WindowScratch<S>& s, index_t first,
                                             index_t n, Factorization kind, index_t i) {
    const bool conjugated = kind != Factorization::ldlt;
    S* const x = &a(i, first);
    substitute(x, a.ld, n, kind == Factorization::llt ? s.inverse_diagonal : nullptr, [&](index_t t, index_t k) {
        return conjugated ? conjugate(s.block.a[t][k]) : s.block.a[t][k];
    });
    S* const above = &a(first, i);
    constexpr index_t rounds = 8;
    for (index_t begin = 0; begin < n; begin += rounds) {
        S value[rounds];
#pragma unroll
        for (index_t r = 0; r < rounds; ++r) value[r] = x[min(begin + r, n - 1) * a.ld];
#pragma unroll
        for (index_t r = 0; r < rounds; ++r)
            if (begin + r < n) above[begin + r] = conjugated ? conjugate(value[r]) : value[r];
    }
    DeviceReal<S> largest = 0;
    if (kind == Factorization::llt) return largest;
    bool ordered = true;
    S before = RealOf<S>::make(0);  // of x, which l overwrites
    for (index_t t = 0; t < n; ++t) {
        const S own = x[t * a.ld];
        S l = own * s.pivots.own[t] + before * s.pivots.before[t];
        if (t + 1 < n) l = l + x[(t + 1) * a.ld] * s.pivots.after[t];
        x[t * a.ld] = l;
        before = own;
        const auto size = size_1(l);
        ordered = ordered && size >= 0;
        largest = size > largest ? size : largest;
    }
    return ordered ? largest : DeviceReal<S>(INFINITY);
}

/// The same for L U: row i of L, or column i of U, which has no bound.
template <class S>
__device__ DeviceReal<S> solve_general(const SharedSquare<S>& a, const WindowScratch<S>& s, index_t first, index_t n,
                                       bool upper, index_t i) {
    if (upper) {
        substitute(&a(first, i), 1, n, static_cast<const S*>(nullptr),
                   [&](index_t t, index_t k) { return s.block.a[t][k]; });
        return 0;
    }
    substitute(&a(i, first), a.ld, n, s.inverse_diagonal, [&](index_t t, index_t k) { return s.block.a[k][t]; });
    DeviceReal<S> largest = 0;
    bool ordered = true;
    for (index_t t = 0; t < n; ++t) {
        const auto size = size_1(a(i, first + t));
        ordered = ordered && size >= 0;
        largest = size > largest ? size : largest;
    }
    return ordered ? largest : DeviceReal<S>(INFINITY);
}

/// What is behind the window, less the product of what it left: 32 threads along the rows, two rows and four
/// columns each. Symmetric kinds: on and below the diagonal.
template <class S>
__device__ void update_behind(const SharedSquare<S>& a, index_t first, index_t n, bool general) {
    constexpr index_t rows = 2, columns = 4;
    const index_t lane = static_cast<index_t>(threadIdx.x) % w, group = static_cast<index_t>(threadIdx.x) / w;
    const index_t groups = static_cast<index_t>(blockDim.x) / w, end = first + n, last = a.order - 1;
    for (index_t j = end + group * columns; j < a.order; j += groups * columns)
        for (index_t i = (general ? end : j) + lane; i - lane < a.order; i += rows * w) {
            S sum[columns][rows];
            for (auto& of_column : sum)
                for (S& x : of_column) x = RealOf<S>::make(0);
            const index_t second = min(i + w, last), at = min(i, last);
#pragma unroll 4
            for (index_t k = first; k < end; ++k) {
                const S left[rows] = {a(at, k), a(second, k)};
#pragma unroll
                for (index_t q = 0; q < columns; ++q) {
                    const S right = a(k, min(j + q, last));
#pragma unroll
                    for (index_t p = 0; p < rows; ++p) sum[q][p] = sum[q][p] + left[p] * right;
                }
            }
#pragma unroll
            for (index_t q = 0; q < columns; ++q)
#pragma unroll
                for (index_t p = 0; p < rows; ++p)
                    if (j + q <= last && i + p * w <= last && (general || i + p * w >= j + q))
                        a(i + p * w, j + q) = a(i + p * w, j + q) - sum[q][p];
        }
}

/// Columns first .. first + n of the square and what they leave behind. Returns the largest |l_ij| behind the
/// window that the calling thread made. s.good: pivots were found.
template <class S>
__device__ DeviceReal<S> eliminate_window(const SharedSquare<S>& a, WindowScratch<S>& s, index_t first, index_t n,
                                          Factorization kind, DeviceReal<S> smallest) {
    const bool general = kind == Factorization::lu;
    const auto thread = static_cast<index_t>(threadIdx.x), threads = static_cast<index_t>(blockDim.x);
    if (thread < w) factor_window(a, s, first, n, kind, smallest);
    __syncthreads();
    if (kind != Factorization::llt) permute_beside(a, s, first, n, general);
    __syncthreads();
    const index_t end = first + n, rest = a.order - end;
    DeviceReal<S> largest = 0;
    for (index_t v = thread; v < (general ? 2 : 1) * rest; v += threads) {
        const bool upper = v >= rest;
        const DeviceReal<S> size = general ? solve_general(a, s, first, n, upper, end + (upper ? v - rest : v))
                                           : solve_symmetric_row(a, s, first, n, kind, end + v);
        largest = size > largest ? size : largest;
    }
    __syncthreads();
    update_behind(a, first, n, general);
    __syncthreads();
    return largest;
}

}  // namespace frond::gpu
