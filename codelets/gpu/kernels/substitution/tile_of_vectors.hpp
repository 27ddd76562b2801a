// SPDX-License-Identifier: BSD-3-Clause
// A tile of outputs and vectors that a block of threads makes in solve_tiles.cpp, and where its sums go.
#pragma once

#include "device_scalar.hpp"
#include "solve_products.hpp"

namespace frond::gpu {

/// Outputs chunk.first .. + outputs and vectors first_vector .. + vectors, as numbers N: scalars, or their parts.
template <class S, class N>
struct TileOfVectors {
    static constexpr index_t numbers = sizeof(S) / sizeof(N);
    SolveChunk chunk;
    SolveProduct<S> product;
    index_t round, rounds, first_vector, vectors, rows;

    __device__ TileOfVectors(const SolveTables<S>& tables, const SolveChunk& of, index_t in_round, index_t all_rounds,
                             index_t width, index_t rhs)
        : chunk(of),
          product(tables.products[of.product]),
          round(in_round),
          rounds(all_rounds),
          first_vector(in_round * width),
          vectors(min(width, rhs - first_vector)),
          rows(numbers * min(tile_outputs<S>, product.outputs - of.first)) {}

    /// Row i, vector v of the tile.
    __device__ N* target(index_t i, index_t v) const {
        return reinterpret_cast<N*>(product.target + chunk.first + (first_vector + v) * product.target_ld) + i;
    }
    __device__ N* copy(index_t i, index_t v) const {
        const index_t output = chunk.first + i / numbers;
        const index_t row = product.copy_order == nullptr ? output : product.copy_order[output];
        return reinterpret_cast<N*>(product.copy + row + (first_vector + v) * product.copy_ld) + i % numbers;
    }
    __device__ bool has(index_t i, index_t v) const { return i < rows && v < vectors; }
    __device__ count_t place(index_t part) const {
        return (chunk.first_sum + part) * static_cast<count_t>(rounds) + round;
    }
};

/// Stores the sums of the tile. `Sums` has in each thread `count` numbers, number e at row_of(e), column_of(e).
/// Targets are loaded together: one after the other, each would be waited for.
template <class Tile, class Sums>
__device__ void store_tile(const Tile& at, Sums& sums) {
    using N = typename Sums::Number;
    constexpr int together = Sums::count < 16 ? Sums::count : 16;
#pragma unroll
    for (int first = 0; first < Sums::count; first += together) {
        N before[together];
        if (at.product.subtract) {
#pragma unroll
            for (int e = 0; e < together; ++e)
                if (at.has(sums.row_of(first + e), sums.column_of(first + e)))
                    before[e] = *at.target(sums.row_of(first + e), sums.column_of(first + e));
        }
#pragma unroll
        for (int e = 0; e < together; ++e) {
            const index_t i = sums.row_of(first + e), v = sums.column_of(first + e);
            if (!at.has(i, v)) continue;
            const N value = at.product.subtract ? before[e] - sums.number(first + e) : sums.number(first + e);
            *at.target(i, v) = value;
            if (at.product.copy != nullptr) *at.copy(i, v) = value;
        }
    }
}

/// True in the part that leaves its sums last; then they are the sums over all parts, in their order, whichever was
/// last. By all threads of the block.
template <class S, class Tile, class Sums>
__device__ bool add_parts_of_tile(const Tile& at, const SharedSums<S>& shared, Sums& sums, index_t thread) {
    using N = typename Sums::Number;
    constexpr count_t size = count_t{Sums::count} * Sums::threads;
    __shared__ bool is_last;
    N* const own = reinterpret_cast<N*>(shared.sums) + at.place(at.chunk.part) * size + thread;
#pragma unroll
    for (int e = 0; e < Sums::count; ++e) own[e * Sums::threads] = sums.number(e);
    __threadfence();
    __syncthreads();
    const auto others = static_cast<unsigned>(at.chunk.parts - 1);  // then the counter starts from zero again
    if (thread == 0) is_last = atomicInc(shared.counters + at.place(0), others) == others;
    __syncthreads();
    if (!is_last) return false;
    __threadfence();
    sums.clear();
    for (index_t part = 0; part < at.chunk.parts; ++part) {
        const N* const from = reinterpret_cast<const N*>(shared.sums) + at.place(part) * size + thread;
#pragma unroll
        for (int e = 0; e < Sums::count; ++e) sums.number(e) = sums.number(e) + from[e * Sums::threads];
    }
    return true;
}

}  // namespace frond::gpu
