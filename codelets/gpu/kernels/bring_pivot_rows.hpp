// SPDX-License-Identifier: BSD-3-Clause
// L U: rows of a front that give the columns of a step good pivots are brought into its diagonal block. They are chosen
// by a tournament (Grigori, Demmel & Xiang 2011): of 64 rows at a time the pivots of L U with partial pivoting
// stay. Rows behind a block must be up to date: steps are blocks of their own then (StepPlan).
#pragma once

#include "eliminate.hpp"

namespace frond::gpu {

/// Rows of a front that change places, each at most once.
struct RowSwaps {
    index_t count;
    index_t inside[step_columns], outside[step_columns];  // of the diagonal block, behind it
};

/// row_of[k] := k of each front.
template <class T>
void begin_row_order(Stream stream, const SquareFront<T>* fronts, index_t count);

/// Of the steps of the launch, before they are done; rows [column, search_end) of a front, from column `left` on.
template <class T>
void bring_pivot_rows(Stream stream, const SquareFront<T>* fronts, const FrontStep* front_steps,
                      const StepLaunch& launch);

/// perm[k] := row_of[perm[k]] of each front, after its last step.
template <class T>
void end_row_order(Stream stream, const SquareFront<T>* fronts, index_t count);

}  // namespace frond::gpu
