// SPDX-License-Identifier: BSD-3-Clause
#include "../permute_rows.hpp"
#include "second_pass_parts.hpp"
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

/// Positions of the rows after the second pass: row k gets column k's position for the kept ones; the
/// others get the positions that remain, those of the delayed columns first, so that these pair
/// again.
template <class T>
std::vector<index_t> renamed_rows(const SecondPass<T>& second_pass) {
    const auto first = second_pass.column_position.begin();
    const auto null = first + second_pass.kept, delayed = null + second_pass.null_columns;
    std::vector<index_t> positions(first, null);
    positions.insert(positions.end(), delayed, second_pass.column_position.end());
    positions.insert(positions.end(), null, delayed);
    std::vector<index_t> rows = second_pass.row_position, columns = second_pass.column_position;
    std::sort(rows.begin(), rows.end());
    std::sort(columns.begin(), columns.end());
    std::set_difference(rows.begin(), rows.end(), columns.begin(), columns.end(), std::back_inserter(positions));
    FROND_EXPECTS(positions.size() == second_pass.row_position.size(), "a column's position is a row's position");
    return positions;
}

/// Both permutations: of the rows, of the columns.
using Permutations = std::pair<std::vector<index_t>, std::vector<index_t>>;

template <class T>
Permutations factor_unsymmetric(DenseView<T> a, DenseView<T> b, const PivotRule& rule, SecondPass<T>& second_pass,
                                PivotReport& report, MemoryAccount* account) {
    const index_t m = b.rows, f = a.cols, r = b.cols;
    Permutations perm(at(m), at(f));
    const count_t scratch = factor_second_pass_lu_workspace(m, r, f, r);
    const TakenBytes bytes(account, bytes_of<T>(scratch));
    HostVector<T> workspace(at(scratch));
    std::vector<double> rest(at(f));
    const SecondPassOutcome outcome = factor_second_pass_lu<T>(a, b, r, rule, perm.first.data(), perm.second.data(),
                                                               workspace.data(), report, rest.data());
    second_pass.kept = outcome.kept;
    second_pass.null_columns = outcome.null;
    second_pass.null_rest.assign(rest.begin() + outcome.kept, rest.begin() + outcome.kept + outcome.null);
    return perm;
}

template <class T>
void permute(const SecondPassColumns<T>& columns, const Permutations& perm, SecondPass<T>& second_pass) {
    second_pass.row_position = permuted(columns.row_position, perm.first);
    second_pass.column_position = permuted(columns.column_position, perm.second);
    second_pass.row_position_after = renamed_rows(second_pass);
    if (!second_pass.own_rows.empty())
        gather_rows(perm.first.data(), packed_view(second_pass.own_rows, columns.rows(), second_pass.npiv));
    if (!second_pass.own_columns.empty()) permute_columns(second_pass.npiv, perm.second, second_pass.own_columns);
}

template <class T>
void hand_on_rows_and_columns(DenseView<const T> a, DenseView<const T> b, SecondPassColumns<T>& columns,
                              const SecondPass<T>& second_pass, DelayedColumns<T>& delayed, MemoryAccount* account) {
    const index_t kept = second_pass.kept, skipped = kept + second_pass.null_columns;
    delayed.row_position.assign(second_pass.row_position_after.begin() + kept, second_pass.row_position_after.end());
    delayed.column_position.assign(second_pass.column_position.begin() + skipped, second_pass.column_position.end());
    delayed.row_part = packed_or_all<T>(account, b.block(kept, 0, b.rows - kept, b.cols), columns.b);
    free_counted(columns.b, account);
    delayed.columns = packed_or_all<T>(account, a.block(kept, skipped, a.rows - kept, a.cols - skipped), columns.a);
}

}  // namespace

template <class T>
void eliminate_unsymmetric(bool at_root, SecondPassColumns<T>& columns, const PivotRule& rule,
                           SecondPass<T>& second_pass, DelayedColumns<T>& delayed, PivotReport& report,
                           MemoryAccount* account) {
    const index_t m = columns.rows(), f = columns.cols(), r = columns.ncb;
    const DenseView<T> a = packed_view(columns.a, m + r, f), b = packed_view(columns.b, m, r);
    permute(columns, factor_unsymmetric(a, b, rule, second_pass, report, account), second_pass);
    const index_t kept = second_pass.kept;
    second_pass.upper = packed<T>(account, a.block(0, kept, kept, f - kept), b.block(0, 0, kept, r));
    if (at_root) {
        FROND_EXPECTS(r == 0 && kept + second_pass.null_columns == f, "a root leaves no column over");
        second_pass.null_rows = m - kept;
    } else {
        hand_on_rows_and_columns<T>(a, b, columns, second_pass, delayed, account);
    }
    second_pass.panel = leading_part(std::move(columns.a), static_cast<count_t>(m + r) * kept, account);
}

#define FROND_INSTANTIATE(T)                                                                              \
    template void eliminate_unsymmetric<T>(bool, SecondPassColumns<T>&, const PivotRule&, SecondPass<T>&, \
                                           DelayedColumns<T>&, PivotReport&, MemoryAccount*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
