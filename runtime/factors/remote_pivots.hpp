// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <vector>

#include "factors/listed_pivots.hpp"
#include "frond/cpu/second_pass.hpp"

namespace frond::detail {

/// What rank 0 keeps of the pivots of units that are factored on other ranks.
template <class T>
struct RemotePivots {
    ListedPivots<T> listed;  // of the diagonal blocks of all others, rank by rank
    std::map<index_t, std::vector<cpu::SecondPass<T>>> second_passes;  // of a unit, by its front, in postorder
    count_t factor_bytes = 0;  // as predicted
    count_t entries_not_kept = 0;  // see entries_not_kept() of submit/fill_report.hpp
};

}  // namespace frond::detail
