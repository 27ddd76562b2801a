// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/base/parallel_for.hpp"

#include <functional>
#include <vector>

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
/// Preconditions, checked: each row and column once; row and column in the same front; `front` an ancestor of it, or that
/// front.
/// O(rows of all fronts + entries of A, most of which are copied + delayed x fronts on their way). Thread safe. Throws InvalidArgument.
Analysis delay_pivots(const Analysis& analysis, const std::vector<DelayedPivot>& delayed);

/// [fronts] The number that each front has after delay_pivots; -1: it loses all its columns. O(n + delayed).
std::vector<index_t> fronts_after_delays(const AssemblyTree& tree, const std::vector<DelayedPivot>& delayed);

/// [fronts of before] Whether a front and all below it are the same in both analyses of one matrix: with the same rows
/// and columns of it in the same order, and the same children, and in the same tiles or in none. Its factors and its
/// contribution block are then the same numbers. number: by fronts_after_delays. O(rows of all fronts).
std::vector<char> same_fronts(const Analysis& before, const Analysis& after, const std::vector<index_t>& number);

/// An analysis of the same matrix, in the same order, in which large fronts are chains: each part eliminates some of the
/// columns, and the next one is its parent. columns: how many the next part of a front has, from 1 to npiv, which is the
/// last part then; one more or less where a pair would be torn apart.
///
/// O(rows of all fronts + entries of A). Thread safe. Throws InvalidArgument.
Analysis split_fronts(const Analysis& analysis, const std::function<index_t(index_t npiv, index_t nfront)>& columns,
                      const ParallelFor& parallel_for = {});

}  // namespace frond
