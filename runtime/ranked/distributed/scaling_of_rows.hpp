// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/large_vector.hpp"
#include "frond/analysis/analysis.hpp"
#include "frond/analysis/kept_scaling.hpp"
#include "ranks/communicator.hpp"
#include "system/rows/block_pattern.hpp"

namespace frond::detail {

/// What compute_scaling gives where nothing is matched: none where definite matrices, or rows and columns that are alike,
/// need none, else equilibration. It has all rows and columns, on all ranks. diagonal: of all of A. Collective.
template <class T>
Scaling scaling_of_rows(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value,
                        const ExponentRange& diagonal, const Analysis& part, bool pivots_as_they_come);

}  // namespace frond::detail
