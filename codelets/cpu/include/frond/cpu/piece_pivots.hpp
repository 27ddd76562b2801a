// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/cpu/pivot_report.hpp"

namespace frond::cpu {

/// What a core says of the pivots of a piece that it factored while a device did others.
template <class T>
struct PiecePivots {
    index_t first_column = 0;
    std::vector<T> pivots;  // the diagonal of L or U, or D of L D L^T as [2, columns]
    std::vector<index_t> perm;  // [columns] local to each front
    PivotReport report;
    bool are_good = false;  // none was replaced or failed, so that the piece is as a device leaves one
};

}  // namespace frond::cpu
