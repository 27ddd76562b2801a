// SPDX-License-Identifier: BSD-3-Clause
// Products of dense blocks with vectors, many of different shape in one launch.
#pragma once

#include "device_scalar.hpp"
#include "frond/base/types.hpp"
#include "vendor.hpp"

namespace frond::gpu {

/// Entries of a block that need not be read: those of the other triangle are zeros.
enum class Shape : std::uint8_t { full, lower, upper };

/// A block [rows, cols] and the vectors it is multiplied with: entry c of vector q is
/// source[order == null ? c : order[c], q].
template <class S>
struct alignas(32) SolvePiece {
    const S* matrix;
    count_t ld;
    const S* source;
    count_t source_ld;
    const index_t* order;
    index_t rows, cols;
    Shape shape;
};

/// target := target - sum or target := sum, over pieces first_piece .. + pieces. `outputs` are the rows of
/// the pieces, or their columns when their transposes are meant. copy (may be null) gets the same as target,
/// output i at row copy_order[i], or i when that is null.
template <class S>
struct alignas(32) SolveProduct {
    index_t first_piece, pieces, outputs;
    bool subtract;
    S* target;
    count_t target_ld;
    S* copy;
    count_t copy_ld;
    const index_t* copy_order;
};

/// Outputs of a chunk: as many as lanes.
inline constexpr index_t chunk_outputs = 32;

/// Outputs first .. first + chunk_outputs (tiles: tile_outputs) of a product, entries begin .. end of the sums in each of pieces
/// first_piece .. + pieces. Where several chunks share outputs, this one's sums are number first_sum + part of
/// SharedSums, and the chunk that ends last adds them up.
struct alignas(16) SolveChunk {
    index_t product, first;
    index_t first_piece, begin, end;
    std::uint16_t pieces, part, parts;
    index_t first_sum;
};

/// Chunks for one launch: `wide` that a block of threads works on, then `narrow` of short sums, each for 32 lanes.
struct SolveChunks {
    const SolveChunk* data;
    index_t wide, narrow;
};

/// Outputs and vectors of a block of threads of multiply_tiles, which is quicker from so many vectors on.
template <class S>
inline constexpr index_t tile_outputs = sizeof(S) == 16 ? 32 : 64;
inline constexpr index_t tile_vectors = 64, least_rhs_of_tiles = 16;

/// The sums of outputs that chunks share: chunk_outputs sums for each part and vector (tiles: tile_outputs sums for
/// each part and each of tile_vectors), and counters, which are zero before and after a launch.
template <class S>
struct SharedSums {
    S* sums;
    unsigned* counters;
};

template <class S>
struct SolveTables {
    const SolveProduct<S>* products;
    const SolvePiece<S>* pieces;
};

/// Right-hand sides that one reading of the factors serves.
inline constexpr index_t many_rhs = 8;

/// Products with the pieces themselves. All in device memory; asynchronous on the stream; rhs vectors at a time.
template <class S>
void multiply_pieces(Stream stream, const SolveTables<S>& tables, const SolveChunks& chunks,
                     const SharedSums<S>& shared, index_t rhs);

/// Products with the transposes of the pieces, or with their adjoints.
template <class S>
void multiply_transposed_pieces(Stream stream, const SolveTables<S>& tables, const SolveChunks& chunks,
                                const SharedSums<S>& shared, bool adjoint, index_t rhs);

/// Products with the pieces or their transposes, for many vectors; chunks have tile_outputs outputs, none is narrow.
/// conjugated: the entries of the blocks are conjugated.
template <class S>
void multiply_tiles(Stream stream, const SolveTables<S>& tables, const SolveChunk* tiles, count_t count,
                    const SharedSums<S>& shared, bool transposed, bool conjugated, index_t rhs);

}  // namespace frond::gpu
