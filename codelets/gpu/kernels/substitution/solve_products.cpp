// SPDX-License-Identifier: BSD-3-Clause
#include "solve_products.hpp"

#include "check.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/launch.hpp"
#include "product_sums.hpp"

namespace frond::gpu {
namespace {

/// Blocks of threads that a multiprocessor holds, for the compiler: with more it keeps too little in registers. Used
/// in parentheses, since __launch_bounds__ is a macro with HIP.
template <class S, int RHS>
constexpr int blocks_at_once = RHS > 1 || words<S> > 1 ? 2 : 4;

/// The chunk of the calling threads; of a narrow one, of their group.
template <class S, int RHS>
struct Assignment {
    index_t round, block, number;
    bool is_wide, is_there;

    __device__ Assignment(const SolveChunks& chunks, index_t rhs) {
        const index_t rounds = RHS == 1 ? 1 : (rhs + RHS - 1) / RHS;  // neighbours read the same block of the factors
        round = RHS == 1 ? 0 : static_cast<index_t>(blockIdx.x) % rounds;
        block = static_cast<index_t>(blockIdx.x) / rounds;
        is_wide = block < chunks.wide;
        number = is_wide ? block : chunks.wide + (block - chunks.wide) * groups_of_lanes + group_of_thread();
        is_there = number < chunks.wide + chunks.narrow;
    }
};

template <class S, int RHS, int GROUPS>
__device__ void sums_of_rows(const SolveTables<S>& tables, const ChunkOfVectors<S, RHS>& at, S (&sum)[RHS]) {
    for (S& s : sum) s = RealOf<S>::make(0);
#pragma unroll 1
    for (index_t n = 0; n < at.chunk.pieces; ++n)
        add_rows<S, RHS, GROUPS>(at, tables.pieces[at.chunk.first_piece + n], sum);
    if (GROUPS > 1) add_groups(sum);
}

template <class S, int RHS>
__global__ void __launch_bounds__(product_threads, (blocks_at_once<S, RHS>))
    multiply_kernel(const SolveTables<S> tables, const SolveChunks chunks, const SharedSums<S> shared, index_t rhs) {
    const Assignment<S, RHS> mine(chunks, rhs);
    if (!mine.is_there) return;
    const ChunkOfVectors<S, RHS> at(tables, chunks.data[mine.number], mine.round, rhs);
    const Targets<S, RHS> targets(at);
    S sum[RHS];
    if (!mine.is_wide) {
        sums_of_rows<S, RHS, 1>(tables, at, sum);
        return targets.store(at, sum);
    }
    sums_of_rows<S, RHS, groups_of_lanes>(tables, at, sum);
    if (at.chunk.parts > 1 && !add_parts(at, shared, sum)) return;
    if (group_of_thread() == 0) targets.store(at, sum);
}

/// Columns first .. of the chunk, their sums in the lanes that store them.
template <class S, int RHS>
__device__ void sums_in_lanes(const SolveTables<S>& tables, const ChunkOfVectors<S, RHS>& at, bool adjoint,
                              S (&sum)[RHS]) {
    constexpr int columns = RHS == 1 ? 8 / words<S> : 2 / words<S>;
    for (S& s : sum) s = RealOf<S>::make(0);
#pragma unroll 1
    for (index_t n = 0; n < chunk_outputs && at.chunk.first + n < at.product.outputs; n += columns) {
        sums_of_columns<S, RHS, columns, 1>(tables, at, at.chunk.first + n, adjoint, [&](int q, S whole) {
            const S turned = value_of_lane(whole, lane_of_thread() % columns * (lanes / columns));
            if (lane_of_thread() / columns == n / columns) sum[q] = turned;
        });
    }
}

/// Every group has its columns of the chunk; the sums end in the lanes of all groups.
template <class S, int RHS>
__device__ void sums_of_block(const SolveTables<S>& tables, const ChunkOfVectors<S, RHS>& at, bool adjoint,
                              S (&sum)[RHS]) {
    constexpr int of_group = chunk_outputs / groups_of_lanes, columns = RHS > 1 && words < S >> 1 ? 2 : of_group;
    constexpr int together = RHS > 1 ? 1 : 2 / words<S>;
    __shared__ S of_output[RHS][chunk_outputs];
    for (index_t n = group_of_thread() * of_group; n < (group_of_thread() + 1) * of_group; n += columns) {
        if (at.chunk.first + n < at.product.outputs)
            sums_of_columns<S, RHS, columns, together>(tables, at, at.chunk.first + n, adjoint, [&](int q, S whole) {
                if (lane_of_thread() % (lanes / columns) == 0)
                    of_output[q][n + lane_of_thread() / (lanes / columns)] = whole;
            });
    }
    __syncthreads();
    for (int q = 0; q < RHS; ++q) sum[q] = of_output[q][lane_of_thread()];
}

template <class S, int RHS>
__global__ void __launch_bounds__(product_threads, (blocks_at_once<S, RHS>))
    multiply_transposed_kernel(const SolveTables<S> tables, const SolveChunks chunks, const SharedSums<S> shared,
                               bool adjoint, index_t rhs) {
    const Assignment<S, RHS> mine(chunks, rhs);
    if (!mine.is_there) return;
    const ChunkOfVectors<S, RHS> at(tables, chunks.data[mine.number], mine.round, rhs);
    const Targets<S, RHS> targets(at);
    S sum[RHS];
    if (!mine.is_wide) {
        sums_in_lanes(tables, at, adjoint, sum);
        return targets.store(at, sum);
    }
    sums_of_block(tables, at, adjoint, sum);
    if (at.chunk.parts > 1 && !add_parts(at, shared, sum)) return;
    if (group_of_thread() == 0) targets.store(at, sum);
}

unsigned blocks_of(const SolveChunks& chunks, index_t rhs) {
    return (static_cast<unsigned>(chunks.wide) + parts(chunks.narrow, groups_of_lanes)) * parts(rhs, many_rhs);
}

}  // namespace

template <class S>
void multiply_pieces(Stream stream, const SolveTables<S>& tables, const SolveChunks& chunks,
                     const SharedSums<S>& shared, index_t rhs) {
    const unsigned blocks = blocks_of(chunks, rhs);
    if (blocks == 0) return;
    if (rhs == 1)
        launch<S, multiply_kernel<S, 1>>(stream, {blocks, product_threads}, tables, chunks, shared, rhs);
    else
        launch<S, multiply_kernel<S, many_rhs>>(stream, {blocks, product_threads}, tables, chunks, shared, rhs);
    check_launch("multiply_pieces");
}

template <class S>
void multiply_transposed_pieces(Stream stream, const SolveTables<S>& tables, const SolveChunks& chunks,
                                const SharedSums<S>& shared, bool adjoint, index_t rhs) {
    const unsigned blocks = blocks_of(chunks, rhs);
    if (blocks == 0) return;
    if (rhs == 1)
        launch<S, multiply_transposed_kernel<S, 1>>(stream, {blocks, product_threads}, tables, chunks, shared, adjoint,
                                                    rhs);
    else
        launch<S, multiply_transposed_kernel<S, many_rhs>>(stream, {blocks, product_threads}, tables, chunks, shared,
                                                           adjoint, rhs);
    check_launch("multiply_transposed_pieces");
}

#define FROND_INSTANTIATE(T)                                                                                          \
    template void multiply_pieces<DeviceScalar<T>>(Stream, const SolveTables<DeviceScalar<T>>&, const SolveChunks&,   \
                                                   const SharedSums<DeviceScalar<T>>&, index_t);                      \
    template void multiply_transposed_pieces<DeviceScalar<T>>(Stream, const SolveTables<DeviceScalar<T>>&,            \
                                                              const SolveChunks&, const SharedSums<DeviceScalar<T>>&, \
                                                              bool, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
