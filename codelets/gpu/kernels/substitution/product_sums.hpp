// SPDX-License-Identifier: BSD-3-Clause
// A chunk of solve_products.cpp on its threads, and where its sums go.
#pragma once

#include "kernels/lane_values.hpp"
#include "solve_products.hpp"

namespace frond::gpu {

inline constexpr int lanes = 32, groups_of_lanes = 8, product_threads = lanes * groups_of_lanes;
static_assert(chunk_outputs == lanes, "a lane stores an output");

__device__ inline index_t lane_of_thread() { return static_cast<index_t>(threadIdx.x) % lanes; }
__device__ inline index_t group_of_thread() { return static_cast<index_t>(threadIdx.x) / lanes; }

template <class R>
__device__ Complex<R> value_across(Complex<R> value, int mask) {
    return {value_across(value.re, mask), value_across(value.im, mask)};
}

/// A chunk and the vectors first_rhs .. + vectors of at most RHS; the others are those of the last, and not stored.
template <class S, int RHS>
struct ChunkOfVectors {
    SolveChunk chunk;
    const SolveProduct<S>& product;
    index_t round, rounds, first_rhs, vectors;

    __device__ ChunkOfVectors(const SolveTables<S>& tables, const SolveChunk& of, index_t in_round, index_t rhs)
        : chunk(of),
          product(tables.products[of.product]),
          round(RHS == 1 ? 0 : in_round),
          rounds(RHS == 1 ? 1 : (rhs + RHS - 1) / RHS),
          first_rhs(RHS * round),
          vectors(RHS == 1 ? 1 : min(RHS, rhs - first_rhs)) {}

    /// Where a part is in SharedSums, and the lane's sum for vector q of these.
    __device__ count_t place(index_t part) const {
        return (chunk.first_sum + part) * static_cast<count_t>(rounds) + round;
    }
    __device__ count_t place(index_t part, int q) const {
        return (place(part) * RHS + q) * chunk_outputs + lane_of_thread();
    }
};

/// sum := the sum over the groups of lanes, in each of them. All threads of the block.
template <class S, int RHS>
__device__ void add_groups(S (&sum)[RHS]) {
    __shared__ S of_groups[groups_of_lanes][chunk_outputs];
    for (S& s : sum) {
        __syncthreads();
        of_groups[group_of_thread()][lane_of_thread()] = s;
        __syncthreads();
        s = of_groups[0][lane_of_thread()];
#pragma unroll
        for (int g = 1; g < groups_of_lanes; ++g) s = s + of_groups[g][lane_of_thread()];
    }
}

/// Sums over the lanes: lane l gets that of column l / (lanes / COLUMNS). Half of what a lane has goes to one that
/// keeps the other half.
template <class S, int COLUMNS>
__device__ S sum_of_lanes(S (&sum)[COLUMNS]) {
    int mask = lanes / 2;
#pragma unroll
    for (int half = COLUMNS / 2; half > 0; half /= 2, mask /= 2) {
        const bool upper = (lane_of_thread() & mask) != 0;
#pragma unroll
        for (int k = 0; k < half; ++k) {
            const S sent = upper ? sum[k] : sum[k + half], kept = upper ? sum[k + half] : sum[k];
            sum[k] = kept + value_across(sent, mask);
        }
    }
#pragma unroll
    for (int m = lanes / COLUMNS / 2; m > 0; m /= 2) sum[0] = sum[0] + value_across(sum[0], m);
    return sum[0];
}

/// What the sums of a chunk are subtracted from: that of one vector is asked for before they are made, so that it is
/// there when they are.
template <class S, int RHS>
struct Targets {
    static constexpr bool is_early = RHS == 1;
    S before = RealOf<S>::make(0);

    __device__ explicit Targets(const ChunkOfVectors<S, RHS>& at) {
        const index_t i = at.chunk.first + lane_of_thread();
        if (is_early && at.product.subtract && i < at.product.outputs) before = at.product.target[i];
    }

    /// sum: of the output of the lane.
    __device__ void store(const ChunkOfVectors<S, RHS>& at, const S (&sum)[RHS]) const {
        const SolveProduct<S>& p = at.product;
        const index_t i = at.chunk.first + lane_of_thread();
        if (i >= p.outputs) return;
        for (int q = 0; q < RHS; ++q) {
            if (q >= at.vectors) break;
            S* const target = p.target + i + (at.first_rhs + q) * p.target_ld;
            const S value = p.subtract ? (is_early ? before : *target) - sum[q] : sum[q];
            *target = value;
            if (p.copy != nullptr)
                p.copy[(p.copy_order == nullptr ? i : p.copy_order[i]) + (at.first_rhs + q) * p.copy_ld] = value;
        }
    }
};

/// True in the chunk that leaves its sums last; then sum is the sum over all parts, in their order, whichever was last.
/// sum: of the output of the lane, in all groups. All threads of the block.
template <class S, int RHS>
__device__ bool add_parts(const ChunkOfVectors<S, RHS>& at, const SharedSums<S>& shared, S (&sum)[RHS]) {
    __shared__ bool is_last;
    if (group_of_thread() == 0) {
        for (int q = 0; q < RHS; ++q) shared.sums[at.place(at.chunk.part, q)] = sum[q];
        __threadfence();
        sync_lanes();
        const auto others = static_cast<unsigned>(at.chunk.parts - 1);  // then the counter starts from zero again
        if (lane_of_thread() == 0) {
            __threadfence();
            is_last = atomicInc(shared.counters + at.place(0), others) == others;
        }
    }
    __syncthreads();
    if (!is_last) return false;
    __threadfence();
    for (int q = 0; q < RHS; ++q) {
        sum[q] = RealOf<S>::make(0);
#pragma unroll 4
        for (index_t n = group_of_thread(); n < at.chunk.parts; n += groups_of_lanes)
            sum[q] = sum[q] + shared.sums[at.place(n, q)];
    }
    add_groups(sum);
    return true;
}

// The sums of solve_products.cpp. What a thread reads is under way together: a multiprocessor needs 30 KB under way to
// read at the rate of the memory.

/// The size of a scalar in words of 8 bytes, at least one.
template <class S>
inline constexpr int words = sizeof(S) < 8 ? 1 : static_cast<int>(sizeof(S) / 8);
/// Entries that a lane reads together; of many vectors, theirs take the registers.
template <class S, int RHS>
inline constexpr int entries_together = (RHS > 1 ? 2 : 8) / words<S>;

/// A lane has a row, and GROUPS groups share the columns.
template <class S, int RHS, int GROUPS>
__device__ void add_rows(const ChunkOfVectors<S, RHS>& at, const SolvePiece<S>& piece, S (&sum)[RHS]) {
    constexpr int together = entries_together<S, RHS>;
    const index_t end = min(at.chunk.end, piece.cols);
    const S* const source = piece.source + at.first_rhs * piece.source_ld;
    const count_t ld = piece.ld * GROUPS;
    index_t c = at.chunk.begin + (GROUPS > 1 ? group_of_thread() : 0);
    const S* entry = piece.matrix + min(at.chunk.first + lane_of_thread(), piece.rows - 1) + c * piece.ld;
#pragma unroll 1
    for (; c < end; c += together * GROUPS) {
        S m[together];
        index_t from[together];
#pragma unroll
        for (int u = 0; u < together; ++u) {
            from[u] = c + u * GROUPS;
            m[u] = from[u] < end ? *entry : RealOf<S>::make(0);
            entry += ld;
        }
        if (piece.order != nullptr) {
#pragma unroll
            for (int u = 0; u < together; ++u) from[u] = from[u] < end ? piece.order[from[u]] : end;
        }
#pragma unroll
        for (int q = 0; q < RHS; ++q) {
            const S* const entries = source + min(q, at.vectors - 1) * piece.source_ld;
            S v[together];
#pragma unroll
            for (int u = 0; u < together; ++u) v[u] = c + u * GROUPS < end ? entries[from[u]] : RealOf<S>::make(0);
#pragma unroll
            for (int u = 0; u < together; ++u) sum[q] = sum[q] + m[u] * v[u];
        }
    }
}

/// Lanes share the rows of COLUMNS columns, TOGETHER in a lane.
template <class S, int RHS, int COLUMNS, int TOGETHER>
__device__ void add_columns(const ChunkOfVectors<S, RHS>& at, const SolvePiece<S>& piece, index_t first, bool adjoint,
                            S (&sum)[RHS][COLUMNS]) {
    const index_t end = min(at.chunk.end, piece.rows);
    const S* const source = piece.source + at.first_rhs * piece.source_ld;
    const S* const matrix = piece.matrix + first * piece.ld;
    const index_t columns = piece.cols - first;
#pragma unroll 1
    for (index_t r = at.chunk.begin + lane_of_thread(); r < end; r += TOGETHER * lanes) {
        S m[TOGETHER][COLUMNS];
        const S* entry = matrix + r;
#pragma unroll
        for (int k = 0; k < COLUMNS; ++k) {
#pragma unroll
            for (int u = 0; u < TOGETHER; ++u) {
                m[u][k] = k < columns && r + u * lanes < end ? entry[u * lanes] : RealOf<S>::make(0);
                if (is_complex_scalar<S> && adjoint) m[u][k] = conjugate(m[u][k]);
            }
            entry += piece.ld;
        }
#pragma unroll
        for (int q = 0; q < RHS; ++q) {
            const S* const entries = source + min(q, at.vectors - 1) * piece.source_ld;
#pragma unroll
            for (int u = 0; u < TOGETHER; ++u) {
                const S v = r + u * lanes < end ? entries[r + u * lanes] : RealOf<S>::make(0);
#pragma unroll
                for (int k = 0; k < COLUMNS; ++k) sum[q][k] = sum[q][k] + m[u][k] * v;
            }
        }
    }
}

/// take(q, sum): in lane l, the sum of column `first` + l / (lanes / COLUMNS) with vector q.
template <class S, int RHS, int COLUMNS, int TOGETHER, class Take>
__device__ void sums_of_columns(const SolveTables<S>& tables, const ChunkOfVectors<S, RHS>& at, index_t first,
                                bool adjoint, Take take) {
    S sum[RHS][COLUMNS];
    for (auto& of_vector : sum)
        for (S& s : of_vector) s = RealOf<S>::make(0);
#pragma unroll 1
    for (index_t n = 0; n < at.chunk.pieces; ++n)
        add_columns<S, RHS, COLUMNS, TOGETHER>(at, tables.pieces[at.chunk.first_piece + n], first, adjoint, sum);
#pragma unroll
    for (int q = 0; q < RHS; ++q) take(q, sum_of_lanes(sum[q]));
}

}  // namespace frond::gpu
