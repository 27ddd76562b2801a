// SPDX-License-Identifier: BSD-3-Clause
// The diagonal of A, of which each rank has that of its rows.
#pragma once

#include <vector>

#include "frond/analysis/kept_scaling.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/matrix/sparse_matrix.hpp"
#include "ranks/communicator.hpp"
#include "system/rows/block_pattern.hpp"
#include "system/rows/reused.hpp"

namespace frond::detail {

/// Where the diagonal is, or what of it is sent.
template <class T>
struct DiagonalMemory {
    Reused<SparseMatrix<T>, 1> matrix;
    std::vector<T> sent;
};

template <class T>
struct DiagonalOfRows {
    ExponentRange range;  // on all ranks
    SharedMatrix<T> matrix;  // on rank 0, in canonical form; null elsewhere
};

/// value: of the pattern. Collective. @throws OutOfMemory  on all ranks
template <class T>
DiagonalOfRows<T> diagonal_of_rows(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value,
                                   DiagonalMemory<T>& memory, const ParallelFor& parallel_for = {});

}  // namespace frond::detail
