// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/pivot_report.hpp"

namespace frond {

/// What a core says of the pivots of its piece.
template <class T>
struct CorePivots {
    index_t first_column = 0;
    std::vector<T> pivots;  // the diagonal of L or U, or D of L D L^T as [2, columns]
    std::vector<index_t> perm;  // [columns] local to each front
    PivotReport report;
    bool are_good = false;  // none was replaced or failed, so that the piece is as a device leaves one
};

/// factor_piece of a core: R values of A, W part of the factors, W room of the contribution block (when the root has
/// one)      a subtree of the mapping, which scales its entries itself
/// Where pivots are not good, factors and block mean nothing.
template <class T>
struct CorePieceArguments : TaskArguments {
    const Analysis* analysis = nullptr;
    const Subtree* subtree = nullptr;
    const Scaling* scaling = nullptr;
    PivotRule rule;
    count_t first_byte = 0;  // of the subtree's chunk in the part
    CorePivots<T>* pivots = nullptr;
};
template <class T>
starpu_codelet& core_piece_codelet();

}  // namespace frond
