// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "frond/base/for_ranges.hpp"
#include "refinement/largest_magnitude.hpp"

namespace frond::detail {

/// Rows of a block that one worker does at once.
inline constexpr count_t rows_per_piece = 4096;
inline count_t pieces_of_rows(index_t rows) { return count_ranges(rows, rows_per_piece); }

/// body(row, piece) for all rows of a block, on the workers where there are many. Pieces depend on nothing but the block,
/// and what a row gives not even on it.
template <class Body>
void for_rows_of_pieces(index_t rows, const ParallelFor& parallel_for, const Body& body) {
    for_ranges(rows, rows_per_piece, parallel_for, [&](count_t piece, count_t first, count_t end) {
        for (count_t i = first; i < end; ++i) body(static_cast<index_t>(i), static_cast<std::size_t>(piece));
    });
}

/// body(row), in the same way.
template <class Body>
void for_block_rows(index_t rows, const ParallelFor& parallel_for, const Body& body) {
    for_rows_of_pieces(rows, parallel_for, [&](index_t i, std::size_t) { body(i); });
}

/// The maxima of what body(row, maxima) sees in any order. That is little work for a row: with fewer rows than many_rows
/// workers take longer to begin than one thread to end.
template <std::size_t N, class Body>
std::array<Largest, N> largest_of_rows(index_t rows, const ParallelFor& parallel_for, const Body& body) {
    constexpr index_t many_rows = 1 << 17;
    std::vector<std::array<Largest, N>> of_pieces(static_cast<std::size_t>(pieces_of_rows(rows)));
    for_rows_of_pieces(rows, rows < many_rows ? ParallelFor() : parallel_for,
                       [&](index_t i, std::size_t piece) { body(i, of_pieces[piece]); });
    std::array<Largest, N> all;
    for (const std::array<Largest, N>& of_piece : of_pieces)
        for (std::size_t k = 0; k < N; ++k) all[k].see(of_piece[k]);
    return all;
}

}  // namespace frond::detail
