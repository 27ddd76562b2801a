// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <vector>

#include "frond/cpu/second_pass.hpp"

namespace frond::detail {

/// What rank 0 keeps of the pivots of units that are factored on other ranks: as much as determinants, inertia, ranks and
/// null spaces ask for.
template <class T>
struct RemotePivots {
    /// Of a diagonal block: see PivotBlock.
    struct Block {
        index_t first_column = 0;
        std::vector<T> diagonal;  // [n]
        std::vector<index_t> perm;  // [n]; L L^H: empty
        std::vector<T> pivots;  // [2, n] of L D L^T; else empty
    };
    struct Unit {
        std::vector<Block> blocks;  // in elimination order
        std::vector<cpu::SecondPass<T>> second_passes;  // postorder
    };

    std::map<index_t, Unit> units;  // by the front of the unit
    count_t factor_bytes = 0;  // as predicted
    count_t entries_not_kept = 0;  // see entries_not_kept() of submit/fill_report.hpp
};

}  // namespace frond::detail
