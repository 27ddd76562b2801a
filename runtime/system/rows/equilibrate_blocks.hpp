// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/base/large_vector.hpp"
#include "frond/matrix/equilibration.hpp"
#include "ranks/communicator.hpp"
#include "system/rows/block_pattern.hpp"

namespace frond::detail {

/// What frond::equilibrate() gives for the whole of A, with the same bits: r and c of diag(r) A diag(c), which the caller
/// rounds to powers of two, as there. [n] each, whole and the same on all ranks. symmetric: r = c.
/// value [entries of the pattern], finite. Each row is summed by the rank that has it; columns of general matrices are
/// summed as rows of A^T, which are there during the call. O(entries) and one reduction of n numbers a step, of 2 n
/// where rows and columns differ. Collective.
template <class T>
RowsAndColumns equilibrate_blocks(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value,
                                  bool symmetric);

}  // namespace frond::detail
