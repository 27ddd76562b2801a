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
struct SolvePiece {
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
struct SolveProduct {
    index_t first_piece, pieces, outputs;
    bool subtract;
    S* target;
    count_t target_ld;
    S* copy;
    count_t copy_ld;
    const index_t* copy_order;
};

/// A block of threads: outputs first .. of a product.
struct SolveChunk {
    index_t product, first;
};

/// How many outputs a block of threads has: tall blocks of rows read longer runs of memory, short ones give
/// more blocks of threads.
inline constexpr index_t tall_chunk = 32, short_chunk = 8;
/// Of multiply_tiles, which is quicker from so many vectors on.
inline constexpr index_t tall_tile = 64, short_tile = 16, least_rhs_of_tiles = 16;

template <class S>
struct SolveTables {
    const SolveProduct<S>* products;
    const SolvePiece<S>* pieces;
    const SolveChunk* chunks;
};

/// Products with the pieces themselves; chunk_outputs: tall_chunk or short_chunk, as the chunks were cut.
/// All in device memory; asynchronous on the stream; rhs vectors at a time.
template <class S>
void multiply_pieces(Stream stream, const SolveTables<S>& tables, count_t chunks, index_t chunk_outputs, index_t rhs);

/// With their transposes, or adjoints; chunks of short_chunk.
template <class S>
void multiply_transposed_pieces(Stream stream, const SolveTables<S>& tables, count_t chunks, bool adjoint,
                                index_t rhs);

/// Either, for many vectors; chunk_outputs: tall_tile or short_tile, as the chunks were cut. conjugated: of the
/// blocks' entries.
template <class S>
void multiply_tiles(Stream stream, const SolveTables<S>& tables, count_t chunks, index_t chunk_outputs, bool transposed,
                    bool conjugated, index_t rhs);

}  // namespace frond::gpu
