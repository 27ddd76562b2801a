// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/large_vector.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/analysis/analysis.hpp"
#include "frond/matrix/sparse_matrix.hpp"
#include "ranks/communicator.hpp"
#include "row_blocks/block_pattern.hpp"

namespace frond::detail {

/// What compute_scaling gives where nothing is matched: none where definite matrices, or rows and columns that are alike,
/// need none, else equilibration. Of all rows and columns, on all ranks. diagonal: of A, on rank 0. Collective.
template <class T>
Scaling scaling_of_rows(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value,
                        const SharedMatrix<T>& diagonal, const Analysis& part, bool pivots_as_they_come,
                        const ParallelFor& parallel_for = {});

}  // namespace frond::detail
