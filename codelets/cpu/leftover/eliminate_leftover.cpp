// SPDX-License-Identifier: BSD-3-Clause
// The second pass on the columns that a front could not eliminate, and what it hands on (Duff &
// Reid 1983, section 3: delayed pivots).
#include "../permute_rows.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "leftover_blocks.hpp"

#include <iterator>

namespace frond::cpu {
namespace {

std::size_t at(count_t i) {
    return static_cast<std::size_t>(i);
}

/// The block as a matrix of its own.
template<class T>
std::vector<T> packed(DenseView<const T> a) {
    std::vector<T> copy;
    copy.reserve(at(static_cast<count_t>(a.rows) * a.cols));
    for (index_t j = 0; j < a.cols; ++j) copy.insert(copy.end(), a.column(j), a.column(j) + a.rows);
    return copy;
}

template<class T>
void append(DenseView<const T> a, std::vector<T>& to) {
    for (index_t j = 0; j < a.cols; ++j) to.insert(to.end(), a.column(j), a.column(j) + a.rows);
}

std::vector<index_t> permuted(const std::vector<index_t>& slots, const std::vector<index_t>& perm) {
    std::vector<index_t> result(slots.size());
    for (std::size_t k = 0; k < slots.size(); ++k) result[k] = slots[at(perm[k])];
    return result;
}

/// Columns k := columns perm[k].
template<class T>
void permute_columns(index_t rows, const std::vector<index_t>& perm, std::vector<T>& a) {
    std::vector<T> result(a.size());
    for (std::size_t k = 0; k < perm.size(); ++k)
        std::copy_n(a.data() + static_cast<count_t>(perm[k]) * rows, rows,
                    result.data() + static_cast<count_t>(k) * rows);
    a = std::move(result);
}

/// Columns 0 .. kept - 1 of a, whose memory the panel takes over.
template<class T>
std::vector<T> leading_columns(std::vector<T>&& a, index_t rows, index_t kept) {
    a.resize(at(static_cast<count_t>(rows) * kept));
    a.shrink_to_fit();
    return std::move(a);
}

template<class T>
void eliminate_symmetric(bool hermitian, LeftoverColumns<T>& columns, const PivotRule& rule,
                         Leftover<T>& leftover, DelayedColumns<T>& delayed, PivotReport& report) {
    const index_t f = columns.cols(), r = columns.ncb;
    const DenseView<T> a = packed_view(columns.a, f + r, f);
    std::vector<index_t> perm(at(f));
    std::vector<T> workspace(at(factor_leftover_ldlt_workspace(f, r)));
    leftover.pivots.assign(2 * at(f), T(0));
    leftover.kept = factor_leftover_ldlt<T>(a, hermitian, rule, leftover.pivots.data(), perm.data(),
                                            workspace.data(), report)
                        .kept;
    const index_t kept = leftover.kept;
    leftover.pivots.resize(2 * at(kept));
    leftover.row_slot = leftover.column_slot = permuted(columns.column_slot, perm);
    if (!leftover.own_rows.empty())
        gather_rows(perm.data(), packed_view(leftover.own_rows, f, leftover.npiv));
    delayed.column_slot.assign(leftover.column_slot.begin() + kept, leftover.column_slot.end());
    delayed.row_slot = delayed.column_slot;
    delayed.columns = packed<T>(a.block(kept, kept, f - kept + r, f - kept));
    leftover.panel = leading_columns(std::move(columns.a), f + r, kept);
}

/// Slots of the rows after the second pass: row k gets column k's slot for the kept ones; the
/// others get the slots that remain, those of the columns handed on first, so that these pair
/// again.
template<class T>
std::vector<index_t> renamed_rows(const Leftover<T>& leftover) {
    const auto first = leftover.column_slot.begin();
    const auto null = first + leftover.kept, delayed = null + leftover.null_columns;
    std::vector<index_t> slots(first, null);
    slots.insert(slots.end(), delayed, leftover.column_slot.end());
    slots.insert(slots.end(), null, delayed);
    std::vector<index_t> rows = leftover.row_slot, columns = leftover.column_slot;
    std::sort(rows.begin(), rows.end());
    std::sort(columns.begin(), columns.end());
    std::set_difference(rows.begin(), rows.end(), columns.begin(), columns.end(),
                        std::back_inserter(slots));
    FROND_EXPECTS(slots.size() == leftover.row_slot.size(), "a column's slot is a row's slot");
    return slots;
}

template<class T>
void hand_on_rows_and_columns(DenseView<const T> a, DenseView<const T> b,
                              const Leftover<T>& leftover, DelayedColumns<T>& delayed) {
    const index_t kept = leftover.kept, skipped = kept + leftover.null_columns;
    delayed.row_slot.assign(leftover.row_slot_after.begin() + kept, leftover.row_slot_after.end());
    delayed.column_slot.assign(leftover.column_slot.begin() + skipped, leftover.column_slot.end());
    delayed.columns = packed<T>(a.block(kept, skipped, a.rows - kept, a.cols - skipped));
    delayed.row_part = packed<T>(b.block(kept, 0, b.rows - kept, b.cols));
}

template<class T>
void eliminate_unsymmetric(bool at_root, LeftoverColumns<T>& columns, const PivotRule& rule,
                           Leftover<T>& leftover, DelayedColumns<T>& delayed, PivotReport& report) {
    const index_t m = columns.rows(), f = columns.cols(), r = columns.ncb;
    const DenseView<T> a = packed_view(columns.a, m + r, f), b = packed_view(columns.b, m, r);
    std::vector<index_t> row_perm(at(m)), column_perm(at(f));
    std::vector<T> workspace(at(factor_leftover_lu_workspace(m, r, f, r)));
    const LeftoverOutcome outcome = factor_leftover_lu<T>(
        a, b, r, rule, row_perm.data(), column_perm.data(), workspace.data(), report);
    const index_t kept = leftover.kept = outcome.kept;
    leftover.null_columns = outcome.null;
    leftover.row_slot = permuted(columns.row_slot, row_perm);
    leftover.column_slot = permuted(columns.column_slot, column_perm);
    leftover.row_slot_after = renamed_rows(leftover);
    if (!leftover.own_rows.empty())
        gather_rows(row_perm.data(), packed_view(leftover.own_rows, m, leftover.npiv));
    if (!leftover.own_columns.empty())
        permute_columns(leftover.npiv, column_perm, leftover.own_columns);
    leftover.upper = packed<T>(a.block(0, kept, kept, f - kept));
    append<T>(b.block(0, 0, kept, r), leftover.upper);
    if (at_root) {
        FROND_EXPECTS(r == 0 && kept + outcome.null == f, "a root leaves no column over");
        leftover.null_rows = m - kept;
    } else {
        hand_on_rows_and_columns<T>(a, b, leftover, delayed);
    }
    leftover.panel = leading_columns(std::move(columns.a), m + r, kept);
}

} // namespace

template<class T>
void eliminate_leftover(Factorization kind, bool at_root, LeftoverColumns<T>&& columns,
                        const PivotRule& rule, Leftover<T>& leftover, DelayedColumns<T>& delayed,
                        PivotReport& report) {
    FROND_EXPECTS(columns.rows() >= columns.cols(), "a null column takes no row");
    leftover.ncb = delayed.ncb = columns.ncb;
    leftover.null_columns = leftover.null_rows = 0;
    delayed = DelayedColumns<T>{};
    delayed.ncb = columns.ncb;
    if (kind == Factorization::lu)
        eliminate_unsymmetric(at_root, columns, rule, leftover, delayed, report);
    else
        eliminate_symmetric(kind == Factorization::ldlh, columns, rule, leftover, delayed, report);
    report.delayed += delayed.cols();
}

#define FROND_INSTANTIATE(T)                                                                       \
    template void eliminate_leftover<T>(Factorization, bool, LeftoverColumns<T>&&,                 \
                                        const PivotRule&, Leftover<T>&, DelayedColumns<T>&,        \
                                        PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

} // namespace frond::cpu
