// SPDX-License-Identifier: BSD-3-Clause
#include "../permute_rows.hpp"
#include "../scalar.hpp"
#include "second_pass_parts.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"

#include <algorithm>
#include <cmath>
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

/// Whether fewer rows than there are columns have entries: then columns depend on each other, whatever the entries.
template <class T>
bool has_few_rows(DenseView<const T> a) {
    std::vector<unsigned char> is_used(at(a.rows), 0);
    for (index_t j = 0; j < a.cols; ++j)
        for (index_t i = 0; i < a.rows; ++i)
            if (a(i, j) != T(0)) is_used[at(i)] = 1;
    return std::count(is_used.begin(), is_used.end(), 1) < a.cols;
}

/// Which of the columns without a pivot, all rows of which a has, depend on others. Delayed, they would all meet where the
/// rows are eliminated that they share. Returns their number, 0 where that many rows have entries; rest: what is left of
/// them.
template <class T>
index_t find_dependent(DenseView<const T> a, const PivotRule& rule, unsigned char* dependent, double& rest,
                       double& flops, MemoryAccount* account) {
    if (a.cols < 2 || !has_few_rows(a)) return 0;
    HostVector<T> copy = counted_vector<T>(static_cast<count_t>(a.rows) * a.cols, account);
    const DenseView<T> to = packed_view(copy, a.rows, a.cols);
    for (index_t j = 0; j < a.cols; ++j) std::copy_n(a.column(j), a.rows, to.column(j));
    const bool finite = std::all_of(copy.begin(), copy.end(), [](T x) { return std::isfinite(abs1(x)); });
    const index_t count = finite ? find_dependent_columns<T>(to, rule.zero_pivot, dependent, &rest) : 0;
    free_counted(copy, account);
    flops = finite ? find_dependent_columns_flops(a.rows, a.cols, a.cols - count) : 0;
    return count;
}

/// They become null columns, behind those that are null already.
template <class T>
void set_dependent_aside(DenseView<T> a, const PivotRule& rule, SecondPassOutcome& outcome,
                         std::vector<index_t>& column_perm, std::vector<double>& null_rest, SecondPass<T>& second_pass,
                         PivotReport& report, MemoryAccount* account) {
    const index_t first = outcome.kept + outcome.null, left = a.cols - first;
    std::vector<unsigned char> dependent(at(left), 0);
    double rest = 0;
    const DenseView<const T> remainder = a.block(outcome.kept, first, a.rows - outcome.kept, left).as_const();
    const index_t count = find_dependent<T>(remainder, rule, dependent.data(), rest, second_pass.search_flops, account);
    if (count == 0) return;
    index_t next = first;
    for (index_t j = first; j < a.cols; ++j) {
        if (dependent[at(j - first)] == 0) continue;
        std::swap_ranges(a.column(j), a.column(j) + a.rows, a.column(next));
        std::swap(column_perm[at(j)], column_perm[at(next)]);
        null_rest[at(next++)] = rest;
    }
    outcome.null += count;
    report.zero += count;
}

template <class T>
Permutations factor_unsymmetric(DenseView<T> a, DenseView<T> b, const PivotRule& rule, SecondPass<T>& second_pass,
                                PivotReport& report, MemoryAccount* account) {
    const index_t m = b.rows, f = a.cols, r = b.cols;
    Permutations perm(at(m), at(f));
    const count_t scratch = factor_second_pass_lu_workspace(m, r, f, r);
    const TakenBytes bytes(account, bytes_of<T>(scratch));
    HostVector<T> workspace(at(scratch));
    std::vector<double> rest(at(f));
    SecondPassOutcome outcome = factor_second_pass_lu<T>(a, b, r, rule, perm.first.data(), perm.second.data(),
                                                         workspace.data(), report, rest.data());
    set_dependent_aside(a, rule, outcome, perm.second, rest, second_pass, report, account);
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
