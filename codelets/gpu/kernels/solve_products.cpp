// SPDX-License-Identifier: BSD-3-Clause
#include "solve_products.hpp"

#include "check.hpp"
#include "frond/base/instantiate.hpp"
#include "launch.hpp"

namespace frond::gpu {
namespace {

constexpr int threads_per_block = 256;
/// Right-hand sides that one reading of the factors serves.
constexpr int many_rhs = 8;

/// The sums of a block of threads, added over those that share an output. Thread = output + OUTPUTS * part.
template <class S, int OUTPUTS, int RHS>
__device__ void store_sums(const SolveProduct<S>& p, index_t first, index_t first_rhs, index_t rhs, S (&sum)[RHS]) {
    constexpr int parts_of_output = threads_per_block / OUTPUTS;
    __shared__ S shared[parts_of_output][OUTPUTS + 1];
    const int output = static_cast<int>(threadIdx.x) % OUTPUTS, part = static_cast<int>(threadIdx.x) / OUTPUTS;
    const index_t i = first + output;
    for (int q = 0; q < RHS; ++q) {
        shared[part][output] = sum[q];
        __syncthreads();
        for (int half = parts_of_output / 2; half > 0; half /= 2) {
            if (part < half) shared[part][output] = shared[part][output] + shared[part + half][output];
            __syncthreads();
        }
        if (part == 0 && i < p.outputs && first_rhs + q < rhs) {
            S* const target = p.target + i + (first_rhs + q) * p.target_ld;
            const S value = p.subtract ? *target - shared[0][output] : shared[0][output];
            *target = value;
            if (p.copy != nullptr)
                p.copy[(p.copy_order == nullptr ? i : p.copy_order[i]) + (first_rhs + q) * p.copy_ld] = value;
        }
        __syncthreads();
    }
}

/// sum[q] += m * vector q at `entry`; vectors beyond the last are those of the last, and not stored.
template <class S, int RHS>
__device__ void add_terms(S m, const S* entry, count_t ld, index_t vectors, S (&sum)[RHS]) {
#pragma unroll
    for (int q = 0; q < RHS; ++q) sum[q] = sum[q] + m * entry[min(q, vectors - 1) * ld];
}

/// Threads of a row share its columns.
template <class S, int ROWS, int RHS>
__global__ void __launch_bounds__(threads_per_block)
    multiply_kernel(const SolveTables<S> tables, index_t rhs) {
    constexpr int step = threads_per_block / ROWS;
    const index_t groups = (rhs + RHS - 1) / RHS;  // neighbours read the same block of the factors
    const SolveChunk chunk = tables.chunks[static_cast<index_t>(blockIdx.x) / groups];
    const SolveProduct<S> p = tables.products[chunk.product];
    const index_t first_rhs = RHS * (static_cast<index_t>(blockIdx.x) % groups), vectors = min(RHS, rhs - first_rhs);
    const index_t i = chunk.first + static_cast<index_t>(threadIdx.x) % ROWS;
    const index_t part = static_cast<index_t>(threadIdx.x) / ROWS;
    S sum[RHS];
    for (int q = 0; q < RHS; ++q) sum[q] = RealOf<S>::make(0);
    for (index_t n = 0; n < p.pieces && i < p.outputs; ++n) {
        const SolvePiece<S> piece = tables.pieces[p.first_piece + n];
        const index_t begin = piece.shape == Shape::upper ? chunk.first / step * step : 0;
        const index_t end = piece.shape == Shape::lower ? min(piece.cols, chunk.first + ROWS) : piece.cols;
        const S* const source = piece.source + first_rhs * piece.source_ld;
#pragma unroll 4
        for (index_t c = begin + part; c < end; c += step) {
            const S m = piece.matrix[i + c * piece.ld];
            add_terms(m, source + (piece.order == nullptr ? c : piece.order[c]), piece.source_ld, vectors, sum);
        }
    }
    store_sums<S, ROWS, RHS>(p, chunk.first, first_rhs, rhs, sum);
}

/// Threads of a column are neighbours, so that they read neighbours.
template <class S, int RHS>
__global__ void __launch_bounds__(threads_per_block)
    multiply_transposed_kernel(const SolveTables<S> tables, bool adjoint, index_t rhs) {
    constexpr int parts_of_column = threads_per_block / short_chunk;
    const index_t groups = (rhs + RHS - 1) / RHS;  // neighbours read the same block of the factors
    const SolveChunk chunk = tables.chunks[static_cast<index_t>(blockIdx.x) / groups];
    const SolveProduct<S> p = tables.products[chunk.product];
    const index_t first_rhs = RHS * (static_cast<index_t>(blockIdx.x) % groups), vectors = min(RHS, rhs - first_rhs);
    const index_t column = static_cast<index_t>(threadIdx.x) / parts_of_column, j = chunk.first + column;
    const index_t part = static_cast<index_t>(threadIdx.x) % parts_of_column;
    S sum[RHS];
    for (int q = 0; q < RHS; ++q) sum[q] = RealOf<S>::make(0);
    for (index_t n = 0; n < p.pieces && j < p.outputs; ++n) {
        const SolvePiece<S> piece = tables.pieces[p.first_piece + n];
        const index_t begin = piece.shape == Shape::lower ? j / parts_of_column * parts_of_column : 0;
        const index_t end = piece.shape == Shape::upper ? min(piece.rows, j + 1) : piece.rows;
        const S* const source = piece.source + first_rhs * piece.source_ld;
#pragma unroll 4
        for (index_t r = begin + part; r < end; r += parts_of_column) {
            const S m = piece.matrix[r + j * piece.ld];
            add_terms(adjoint ? conjugate(m) : m, source + r, piece.source_ld, vectors, sum);
        }
    }
    // store_sums wants the threads of an output `short_chunk` apart.
    __shared__ S turned[RHS][threads_per_block];
    for (int q = 0; q < RHS; ++q) turned[q][part * short_chunk + column] = sum[q];
    __syncthreads();
    for (int q = 0; q < RHS; ++q) sum[q] = turned[q][threadIdx.x];
    store_sums<S, short_chunk, RHS>(p, chunk.first, first_rhs, rhs, sum);
}

template <class S, int ROWS>
void launch_rows(Stream stream, const SolveTables<S>& tables, count_t chunks, index_t rhs) {
    if (rhs == 1)
        multiply_kernel<S, ROWS, 1><<<static_cast<unsigned>(chunks), threads_per_block, 0, stream>>>(tables, rhs);
    else
        multiply_kernel<S, ROWS, many_rhs>
            <<<static_cast<unsigned>(chunks) * parts(rhs, many_rhs), threads_per_block, 0, stream>>>(tables, rhs);
    check_launch("multiply_pieces");
}

}  // namespace

template <class S>
void multiply_pieces(Stream stream, const SolveTables<S>& tables, count_t chunks, index_t chunk_outputs, index_t rhs) {
    if (chunks == 0) return;
    if (chunk_outputs == tall_chunk)
        launch_rows<S, tall_chunk>(stream, tables, chunks, rhs);
    else
        launch_rows<S, short_chunk>(stream, tables, chunks, rhs);
}

template <class S>
void multiply_transposed_pieces(Stream stream, const SolveTables<S>& tables, count_t chunks, bool adjoint,
                                index_t rhs) {
    if (chunks == 0) return;
    if (rhs == 1)
        multiply_transposed_kernel<S, 1>
            <<<static_cast<unsigned>(chunks), threads_per_block, 0, stream>>>(tables, adjoint, rhs);
    else
        multiply_transposed_kernel<S, many_rhs>
            <<<static_cast<unsigned>(chunks) * parts(rhs, many_rhs), threads_per_block, 0, stream>>>(tables, adjoint, rhs);
    check_launch("multiply_transposed_pieces");
}

#define FROND_INSTANTIATE(T)                                                                                     \
    template void multiply_pieces<DeviceScalar<T>>(Stream, const SolveTables<DeviceScalar<T>>&, count_t, index_t, \
                                                   index_t);                                                     \
    template void multiply_transposed_pieces<DeviceScalar<T>>(Stream, const SolveTables<DeviceScalar<T>>&,       \
                                                              count_t, bool, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
