// SPDX-License-Identifier: BSD-3-Clause
// The sums of solve_products.cpp. What a thread reads is under way together: a multiprocessor needs 30 KB under way to
// read at the rate of the memory.
#pragma once

#include "product_chunk.hpp"

namespace frond::gpu {

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
