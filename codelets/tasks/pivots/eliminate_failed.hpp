// SPDX-License-Identifier: BSD-3-Clause
// Failed columns of a shared front, after the pivots of a panel are accepted.
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/record_data.hpp"
#include "frond/codelets/recorded_pivots.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/failed_parts.hpp"

namespace frond {

/// eliminate_failed, after accept_pivots of the last panel: RW failed columns, which are empty then, W factors of the second pass, RW
/// pivot record of the last panel, W delayed columns (not at a root).
struct EliminateFailedArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    bool at_root = false;
    PivotRule rule;
};
template <class T>
starpu_codelet& eliminate_failed_codelet();

/// eliminate_shared, of a front that several ranks share, on the one that leads: RW failed columns, W factors of the second
/// pass, RW its PivotOutcome, W what the other ranks need of these factors, W delayed columns (not at a root), R FailedParts
/// of contribution tiles.
struct EliminateSharedArguments : EliminateFailedArguments {
    const TileGrid* grid = nullptr;
    index_t sources = 0;  // of FailedParts
    cpu::MemoryAccount* account = nullptr;
};
template <class T>
starpu_codelet& eliminate_shared_codelet();

/// When the second pass of a unit has ended. delayed: what goes to the parent; null: nothing can.
template <class T>
void announce_hand_over(const cpu::DelayedColumns<T>* delayed, PivotOutcome& outcome) {
    outcome.failed_rows = delayed != nullptr ? delayed->rows() : 0;
    outcome.failed_columns = delayed != nullptr ? delayed->cols() : 0;
    outcome.hand_over_bytes = delayed != nullptr ? cpu::packed_bytes(*delayed) : 0;
}

/// Second pass, without the contribution block: `pivots` columns of f with r rows below them; a column
/// with w columns to its right takes w + r divisions and two operations for each entry updated.
constexpr double second_pass_symmetric_flops(double f, double r, double pivots) {
    double sum = 0;
    for (double w = f - 1; w >= f - pivots; --w) sum += w + r + w * (w + 1) + 2 * w * r;
    return sum;
}
/// The same for LU with m rows that may be pivots; r is also the number of columns to the right.
constexpr double second_pass_lu_flops(double m, double f, double r, double pivots) {
    double sum = 0;
    for (double p = 1; p <= pivots; ++p) sum += (m + r - p) * (1 + 2 * (f - p)) + 2 * (m - p) * r;
    return sum;
}

template <class T>
RecordedSecondPass recorded_second_pass(const cpu::SecondPass<T>& l) {
    return {l.rows(), l.cols(), l.kept, l.search_flops};
}

/// Operations (of a real scalar) of a second pass, without the contribution block, of order ncb.
inline double second_pass_flops(Factorization kind, const RecordedSecondPass& l, double ncb) {
    const double eliminated = kind == Factorization::lu ? second_pass_lu_flops(l.rows, l.columns, ncb, l.kept)
                                                        : second_pass_symmetric_flops(l.columns, ncb, l.kept);
    return eliminated + l.search_flops;
}

/// update_failed, on the rank of diagonal tile (t, t): R accepted panel, RW part, R L(t, panel), R L D of it or U(panel, t), R
/// FailedParts with what is given back of L(t, panel); LU, where another rank gives back U(panel, t): R those. See
/// cpu::update_failed_part.
struct UpdateFailedArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    index_t tile = 0;
    index_t begin = 0;  // its first row
    bool is_own = false;
    bool rows_apart = false;  // there are parts of U
    cpu::MemoryAccount* account = nullptr;
};
template <class T>
starpu_codelet& update_failed_codelet();

/// keep_failed, on the rank that leads: R accepted panel, RW failed columns. See cpu::keep_failed.
struct KeepFailedArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    index_t first_column = 0, first_position = 0;  // of the panel
};
template <class T>
starpu_codelet& keep_failed_codelet();

}  // namespace frond
