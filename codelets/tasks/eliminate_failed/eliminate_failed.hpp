// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/object_data.hpp"
#include "frond/codelets/record_data.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/failed_columns.hpp"

namespace frond {

/// eliminate_failed, after the last panel is settled: RW failed columns, which are empty then, W factors of the second pass, RW
/// pivot record of the last panel, W delayed columns (not at a root).
struct EliminateFailedArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    bool at_root = false;
    PivotRule rule;
};
template <class T>
starpu_codelet& eliminate_failed_codelet();

/// When the second pass of a unit has ended. delayed: what goes to the parent; null: nothing can.
template <class T>
void announce_hand_over(const cpu::DelayedColumns<T>* delayed, PivotOutcome& outcome) {
    outcome.failed_rows = delayed != nullptr ? delayed->rows() : 0;
    outcome.failed_columns = delayed != nullptr ? delayed->cols() : 0;
    outcome.hand_over_bytes = delayed != nullptr ? cpu::packed_bytes(*delayed) : 0;
}

}  // namespace frond
