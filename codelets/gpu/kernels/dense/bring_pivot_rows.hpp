// SPDX-License-Identifier: BSD-3-Clause
// L U: rows of a front that give the columns of a step good pivots are brought into its diagonal block. They are chosen
// by a tournament (Grigori, Demmel & Xiang 2011): of 256 rows at a time the pivots of L U with partial pivoting
// stay. Rows behind a block must be up to date: steps are blocks of their own then (StepPlan).
#pragma once

#include "eliminate.hpp"

namespace frond::gpu {

/// Rows of a front that are exchanged, each at most once.
struct RowSwaps {
    index_t count;
    index_t inside[step_columns], outside[step_columns];  // of the diagonal block, behind it
};

/// A selection whose rows meet those of others: the rows it has kept, -1 where there were fewer; of how many selections
/// before it those have come that it compares, zero before the first search and after each.
struct PivotSelection {
    index_t kept[step_columns];
    unsigned arrived;
};

/// How many keep rows that the next one compares, a block of threads.
inline constexpr index_t selections_that_meet = 8;

FROND_DEVICE constexpr index_t following_selections(index_t selections) {
    return (selections + selections_that_meet - 1) / selections_that_meet;
}
FROND_DEVICE constexpr index_t first_selections(index_t rows) {
    return following_selections((rows + step_columns - 1) / step_columns);
}
/// The number of PivotSelections that a front needs in device memory for a search among so many rows, all zeros at
/// first.
constexpr count_t pivot_selections(index_t rows) {
    index_t selections = first_selections(rows);
    count_t all = 0;
    for (; selections > 1; selections = following_selections(selections)) all += selections;
    return all == 0 ? 0 : all + 1;
}

/// row_of[k] := k of each front that has one: whose pivots are searched for.
template <class T>
void begin_row_order(Stream stream, const DenseFront<T>* fronts, index_t count);

/// Brings the pivot rows of the steps of the launch to their positions, before the steps are done; searched are rows
/// [column, search_end) of a front, from column `left` on.
template <class T>
void bring_pivot_rows(Stream stream, const DenseFront<T>* fronts, const FrontStep* front_steps,
                      const StepLaunch& launch);

/// perm[k] := row_of[perm[k]] of each of these, after its last step.
template <class T>
void end_row_order(Stream stream, const DenseFront<T>* fronts, index_t count);

}  // namespace frond::gpu
