// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/gpu/failed_pivot.hpp"
#include "kernels/dense/eliminate.hpp"

namespace frond::gpu {

/// The pivots that failed, ascending by column; of a 2 x 2 pivot both.
/// marks, perm: [n], pivots: [2, n] for the indefinite kinds; each front's own in its pivot order, perm local to it.
template <class T>
std::vector<FailedPivot> failed_pivots(const Analysis& analysis, std::vector<PivotMark> marks, const index_t* perm,
                                       const T* pivots);

}  // namespace frond::gpu
