// SPDX-License-Identifier: BSD-3-Clause
// What the analysis and the factorization ask of a sparse matrix in row blocks. But for the first, each is collective; value [entries of the
// pattern].
#pragma once

#include <span>

#include "frond/base/large_vector.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/matrix/definiteness.hpp"
#include "ranks/communicator.hpp"
#include "system/rows/block_pattern.hpp"

namespace frond::detail {

/// diagonal [rows of the block] := a_ii, zero where there is no entry, real of Hermitian A. Not collective.
template <class T>
void fill_own_diagonal(const BlockPattern& pattern, const LargeVector<T>& value, std::span<T> diagonal,
                       const ParallelFor& parallel_for = {});

/// @throws InvalidMatrix  on all ranks, naming the first entry of the canonical form of A whose magnitude is not finite,
///         whatever ranks have it
/// is_known: that there is none on this rank.
template <class T>
void expect_finite_blocks(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value,
                          const ParallelFor& parallel_for = {}, bool is_known = false);

/// The definiteness of the whole matrix, on all ranks. O(n) memory.
template <class T>
Definiteness definiteness_of_blocks(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value);

}  // namespace frond::detail
