// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"

namespace frond {

/// A row and a column (positions in the elimination order) of one front that are eliminated later and together: as
/// some of the last of an ancestor of their front, or of their front itself.
struct DelayedPivot {
    index_t row = 0, column = 0;  // the same for the symmetric kinds
    index_t front = 0;  // where they go
};

/// An analysis of the same matrix in which these rows and columns are eliminated later. The fronts on their way get a
/// contribution row for each; a front that loses all its columns goes, and its children become its parent's. Where a
/// row and a column of one position part, the fronts below that have it get both, and the row and the column that are
/// left over in their front become one position. Pairs that are torn apart are none any longer. Nothing is ordered anew.
///
/// pattern: of the matrix that was analysed. Preconditions, checked: each row and column once; row and column in the
/// same front; `front` an ancestor of it, or that front.
/// O(rows of all fronts + entries of A + delayed x fronts on their way). Thread safe. Throws InvalidArgument.
Analysis delay_pivots(const Analysis& analysis, const Pattern& pattern, const std::vector<DelayedPivot>& delayed);

}  // namespace frond
