// SPDX-License-Identifier: BSD-3-Clause
// Vectors of a substitution, between fronts: every front has its rows in `front_rows`, the fronts of a
// level lie side by side; x and w are by elimination position. All in device memory, asynchronous.
#pragma once

#include <cstdint>

#include "device_scalar.hpp"
#include "frond/base/types.hpp"
#include "vendor.hpp"

namespace frond::gpu {

template <class S>
struct SolveVectors {
    S* front_rows;
    count_t front_rows_ld;
    S *x, *w;  // [n, rhs]
    count_t n;
    index_t rhs;
};

/// Static facts of the rows of all fronts.
struct SolveRows {
    /// Elimination position of the row; ~position for a contribution row.
    const index_t* position;
    /// Contribution rows of children that add to the row: pull[pull_begin[row] .. pull_begin[row + 1]).
    const std::uint32_t* pull_begin;
    const std::uint32_t* pull;
    /// Null, or [n]: the own row at position p takes what belongs to the row `shift[p]` further on.
    const index_t* shift;
};

/// front_rows := x (own rows) or 0, plus what the children left, for rows begin .. end.
template <class S>
void gather_forward(Stream stream, const SolveRows& rows, std::uint32_t begin, std::uint32_t end,
                    const SolveVectors<S>& vectors);

/// front_rows := w (own rows) or x (contribution rows).
template <class S>
void gather_backward(Stream stream, const SolveRows& rows, std::uint32_t begin, std::uint32_t end,
                     const SolveVectors<S>& vectors);

/// D of `count` <= pivot_run columns: pivots [2, ...] of cpu::factor_ldlt; w starts at position first.
template <class S>
struct PivotRun {
    const S* pivots;
    index_t first, count;
    bool starts;  // nothing before it belongs to the same pivot block
};
inline constexpr index_t pivot_run = 256;

/// w := D^-1 w
template <class S>
void divide_by_pivots(Stream stream, bool hermitian, const PivotRun<S>* runs, count_t count,
                      const SolveVectors<S>& vectors);

}  // namespace frond::gpu
