// SPDX-License-Identifier: BSD-3-Clause
#include "../permute_rows.hpp"
#include "eliminate_leftover.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"

#include <iterator>
#include <utility>

namespace frond::cpu {
namespace {

/// Columns k := columns perm[k].
template <class T>
void permute_columns(index_t rows, const std::vector<index_t>& perm, HostVector<T>& a) {
    const auto column = [&](index_t k) { return a.data() + static_cast<count_t>(k) * rows; };
    HostVector<T> first(at(rows));
    for_each_cycle(perm.data(), static_cast<index_t>(perm.size()), [&](index_t start) {
        std::copy_n(column(start), rows, first.data());
        index_t k = start;
        for (; perm[at(k)] != start; k = perm[at(k)]) std::copy_n(column(perm[at(k)]), rows, column(k));
        std::copy_n(first.data(), rows, column(k));
    });
}

/// Slots of the rows after the second pass: row k gets column k's slot for the kept ones; the
/// others get the slots that remain, those of the columns handed on first, so that these pair
/// again.
template <class T>
std::vector<index_t> renamed_rows(const Leftover<T>& leftover) {
    const auto first = leftover.column_slot.begin();
    const auto null = first + leftover.kept, delayed = null + leftover.null_columns;
    std::vector<index_t> slots(first, null);
    slots.insert(slots.end(), delayed, leftover.column_slot.end());
    slots.insert(slots.end(), null, delayed);
    std::vector<index_t> rows = leftover.row_slot, columns = leftover.column_slot;
    std::sort(rows.begin(), rows.end());
    std::sort(columns.begin(), columns.end());
    std::set_difference(rows.begin(), rows.end(), columns.begin(), columns.end(), std::back_inserter(slots));
    FROND_EXPECTS(slots.size() == leftover.row_slot.size(), "a column's slot is a row's slot");
    return slots;
}

/// Both permutations: of the rows, of the columns.
using Permutations = std::pair<std::vector<index_t>, std::vector<index_t>>;

template <class T>
Permutations factor_unsymmetric(DenseView<T> a, DenseView<T> b, const PivotRule& rule, Leftover<T>& leftover,
                                PivotReport& report, MemoryAccount* account) {
    const index_t m = b.rows, f = a.cols, r = b.cols;
    Permutations perm(at(m), at(f));
    const count_t scratch = factor_leftover_lu_workspace(m, r, f, r);
    const TakenBytes bytes(account, bytes_of<T>(scratch));
    HostVector<T> workspace(at(scratch));
    std::vector<double> rest(at(f));
    const LeftoverOutcome outcome = factor_leftover_lu<T>(a, b, r, rule, perm.first.data(), perm.second.data(),
                                                          workspace.data(), report, rest.data());
    leftover.kept = outcome.kept;
    leftover.null_columns = outcome.null;
    leftover.null_rest.assign(rest.begin() + outcome.kept, rest.begin() + outcome.kept + outcome.null);
    return perm;
}

template <class T>
void permute(const LeftoverColumns<T>& columns, const Permutations& perm, Leftover<T>& leftover) {
    leftover.row_slot = permuted(columns.row_slot, perm.first);
    leftover.column_slot = permuted(columns.column_slot, perm.second);
    leftover.row_slot_after = renamed_rows(leftover);
    if (!leftover.own_rows.empty())
        gather_rows(perm.first.data(), packed_view(leftover.own_rows, columns.rows(), leftover.npiv));
    if (!leftover.own_columns.empty()) permute_columns(leftover.npiv, perm.second, leftover.own_columns);
}

template <class T>
void hand_on_rows_and_columns(DenseView<const T> a, DenseView<const T> b, LeftoverColumns<T>& columns,
                              const Leftover<T>& leftover, DelayedColumns<T>& delayed, MemoryAccount* account) {
    const index_t kept = leftover.kept, skipped = kept + leftover.null_columns;
    delayed.row_slot.assign(leftover.row_slot_after.begin() + kept, leftover.row_slot_after.end());
    delayed.column_slot.assign(leftover.column_slot.begin() + skipped, leftover.column_slot.end());
    delayed.row_part = packed_or_all<T>(account, b.block(kept, 0, b.rows - kept, b.cols), columns.b);
    free_counted(columns.b, account);
    delayed.columns = packed_or_all<T>(account, a.block(kept, skipped, a.rows - kept, a.cols - skipped), columns.a);
}

}  // namespace

template <class T>
void eliminate_unsymmetric(bool at_root, LeftoverColumns<T>& columns, const PivotRule& rule, Leftover<T>& leftover,
                           DelayedColumns<T>& delayed, PivotReport& report, MemoryAccount* account) {
    const index_t m = columns.rows(), f = columns.cols(), r = columns.ncb;
    const DenseView<T> a = packed_view(columns.a, m + r, f), b = packed_view(columns.b, m, r);
    permute(columns, factor_unsymmetric(a, b, rule, leftover, report, account), leftover);
    const index_t kept = leftover.kept;
    leftover.upper = packed<T>(account, a.block(0, kept, kept, f - kept), b.block(0, 0, kept, r));
    if (at_root) {
        FROND_EXPECTS(r == 0 && kept + leftover.null_columns == f, "a root leaves no column over");
        leftover.null_rows = m - kept;
    } else {
        hand_on_rows_and_columns<T>(a, b, columns, leftover, delayed, account);
    }
    leftover.panel = leading_part(std::move(columns.a), static_cast<count_t>(m + r) * kept, account);
}

#define FROND_INSTANTIATE(T)                                                                          \
    template void eliminate_unsymmetric<T>(bool, LeftoverColumns<T>&, const PivotRule&, Leftover<T>&, \
                                           DelayedColumns<T>&, PivotReport&, MemoryAccount*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
