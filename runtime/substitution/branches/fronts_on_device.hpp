// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "factors/tree_factors.hpp"
#include "factors/shared_solve.hpp"

namespace frond::detail {

/// The fronts on tiles above the branches of this rank whose tiles lie, by more than half of their bytes, on its one device, and
/// with which tasks there are expected to be quicker than cores; with `deterministic` they need not be. As mapping.grids, 1:
/// such a front. Empty: there is none, as for parts of a solve, and where factors of branches have left the device. Other ranks
/// are not asked. The caller holds factors.place_mutex. Cost: O(fronts + own tiles above the branches)
template <class T>
std::vector<std::uint8_t> fronts_on_device(const TreeFactors<T>& factors, const SharedSolve& solve,
                                           BranchPlace branches);

}  // namespace frond::detail
