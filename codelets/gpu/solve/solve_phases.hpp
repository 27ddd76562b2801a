// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/gpu/resident_solve.hpp"
#include "kernels/substitution/solve_products.hpp"
#include "kernels/substitution/solve_vectors.hpp"
#include "solve/solve_steps.hpp"
#include "solve/vector_layout.hpp"

namespace frond::gpu {

/// One launch: rows or table entries begin .. end.
struct SolvePhase {
    enum class Kind : std::uint8_t { gather_forward, multiply, divide, gather_backward, multiply_transposed };
    Kind kind = Kind::multiply;
    std::uint32_t begin = 0, end = 0;
    index_t wide = 0;  // so many of the chunks are for a block of threads, as in SolveChunks
    std::uint32_t tile_begin = 0, tile_end = 0;  // of products with many vectors
};

/// A whole solve as launches, one after the other, with the tables that they read: the forward sweep with D, then the
/// backward one.
template <class S>
struct SolvePhases {
    std::vector<SolvePhase> phases;
    std::size_t backward_begin = 0;  // of them
    std::vector<SolveProduct<S>> products;
    std::vector<SolvePiece<S>> pieces;
    std::vector<SolveChunk> chunks;
    std::vector<SolveChunk> tiles;
    count_t shared_sums = 0, shared_tiles = 0;  // the most of a phase: parts of chunks, of tiles
    std::vector<PivotRun<S>> runs;
};

/// Device memory that the tables point into.
template <class S>
struct SolveMemory {
    const S* inverses = nullptr;  // as SolveSteps says
    const index_t* pivot_order = nullptr;  // [n], as in PlacedFactors; null for L L^T
    SolveVectors<S> vectors{};
};

/// transposed: of (L U)^T, or its adjoint, L U only.
template <class T>
SolvePhases<DeviceScalar<T>> solve_phases(const PlacedFactors<T>& factors, const VectorLayout& layout,
                                          const SolveSteps& steps, const SolveMemory<DeviceScalar<T>>& memory,
                                          bool transposed);

/// How many phases there will be.
count_t count_phases(const Analysis& analysis, const VectorLayout& layout, const SolveSteps& steps);

}  // namespace frond::gpu
