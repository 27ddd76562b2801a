// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/failed_columns.hpp"

#include "../scalar.hpp"
#include "counted_vector.hpp"
#include "frond/base/instantiate.hpp"

#include <algorithm>

namespace frond::cpu {
namespace {

/// block [m, n] in the corner of a larger one, the rest 0.
template <class T>
void enlarge(HostVector<T>& block, index_t m, index_t n, index_t new_m, index_t new_n, MemoryAccount* account) {
    const count_t size = static_cast<count_t>(new_m) * new_n;
    if (size == static_cast<count_t>(block.size())) return;
    HostVector<T> larger = counted_vector<T>(size, account);
    for (index_t j = 0; j < n; ++j)
        std::copy_n(block.data() + static_cast<count_t>(j) * m, m, larger.data() + static_cast<count_t>(j) * new_m);
    block.swap(larger);
    free_counted(larger, account);
}

/// Calls visit(contribution row of the child, own row or -1, contribution row or -1 of this front).
template <class Visit>
void for_each_row(index_t ncb, index_t npiv, const index_t* relative_rows, Visit visit) {
    for (index_t r = 0; r < ncb; ++r) {
        const index_t row = relative_rows[r];
        visit(r, row < npiv ? row : -1, row - npiv);
    }
}

template <class T>
void copy_block(DenseView<const T> from, DenseView<T> to) {
    for (index_t j = 0; j < from.cols; ++j) std::copy_n(from.column(j), from.rows, to.column(j));
}

/// (A(F, F); A(contribution rows, F)) as one block; the two are freed.
template <class T>
HostVector<T> square_and_below(FailedColumns<T>& failed) {
    if (failed.ncb == 0) return std::move(failed.square);
    const DenseView<T> square = failed.square_view(), below = failed.below_view();
    const count_t height = static_cast<count_t>(square.rows) + below.rows;
    HostVector<T> a = counted_room<T>(height * square.cols, failed.account);
    for (index_t j = 0; j < square.cols; ++j) {
        a.insert(a.end(), square.column(j), square.column(j) + square.rows);
        a.insert(a.end(), below.column(j), below.column(j) + below.rows);
    }
    free_counted(failed.square, failed.account);
    free_counted(failed.below, failed.account);
    return a;
}

/// Bound of what the second pass takes in addition to failed.bytes(), whatever it keeps: the two blocks as one;
/// work vector and pivots; then copies of all parts of A, of U and of the delayed rows.
template <class T>
count_t elimination_bytes(Factorization kind, const FailedColumns<T>& failed) {
    const count_t m = failed.rows(), n = failed.cols(), r = failed.ncb;
    const count_t height = m + r, a = height * n;
    if (kind != Factorization::lu)
        return bytes_of<T>(4 * n + std::max(a, factor_second_pass_ldlt_workspace(failed.cols(), failed.ncb)));
    const count_t kept = std::min(n, (n + r) / 2);  // where U has most entries
    const count_t copies = a + kept * (n - kept + r) + m * r;
    // Beside the work vector the columns without a pivot, to find those that depend on others.
    const count_t search = a + factor_second_pass_lu_workspace(failed.rows(), failed.ncb, failed.cols(), failed.ncb);
    return bytes_of<T>(std::max(copies, search));
}

}  // namespace

template <class T>
void FailedColumns<T>::append(bool symmetric, const std::vector<index_t>& new_row_positions,
                              const std::vector<index_t>& new_column_positions) {
    const index_t m = rows(), n = cols();
    const auto new_m = m + static_cast<index_t>(new_row_positions.size());
    const auto new_n = n + static_cast<index_t>(new_column_positions.size());
    enlarge(own_rows, m, npiv, new_m, npiv, account);
    enlarge(square, m, n, new_m, new_n, account);
    enlarge(below, ncb, n, ncb, new_n, account);
    if (!symmetric) {
        enlarge(own_columns, npiv, n, npiv, new_n, account);
        enlarge(right, m, ncb, new_m, ncb, account);
    }
    row_position.insert(row_position.end(), new_row_positions.begin(), new_row_positions.end());
    column_position.insert(column_position.end(), new_column_positions.begin(), new_column_positions.end());
}

/// The blocks are enlarged one after the other: the old one goes when the new one is filled.
template <class T>
count_t FailedColumns<T>::append_bytes(bool symmetric, index_t more_rows, index_t more_cols) const {
    const count_t m = rows(), n = cols(), new_m = m + more_rows, new_n = n + more_cols;
    const count_t old_sizes[] = {m * npiv, m * n, ncb * n, npiv * n, m * ncb};
    const count_t new_sizes[] = {new_m * npiv, new_m * new_n, ncb * new_n, npiv * new_n, new_m * ncb};
    count_t growth = 0, largest = 0;
    for (int i = 0; i < (symmetric ? 3 : 5); ++i) {
        growth += new_sizes[i] - old_sizes[i];
        largest = std::max(largest, old_sizes[i]);
    }
    return bytes_of<T>(growth + largest);
}

template <class T>
void take_delayed(Factorization kind, DelayedColumns<T>& delayed, const index_t* relative_rows,
                  FailedColumns<T>& failed) {
    if (delayed.empty()) return;
    const bool symmetric = kind != Factorization::lu;
    const EnsuredBytes ensured(failed.account, failed.append_bytes(symmetric, delayed.rows(), delayed.cols()));
    const index_t m = failed.rows(), n = failed.cols();
    const index_t rows = delayed.rows(), cols = delayed.cols(), height = rows + delayed.ncb;
    failed.append(symmetric, delayed.row_position, delayed.column_position);
    const DenseView<const T> from{delayed.columns.data(), height, cols, std::max(height, 1)};
    copy_block(from.block(0, 0, rows, cols), failed.square_view().block(m, n, rows, cols));
    const auto own_rows = failed.own_rows_view(), own_columns = failed.own_columns_view();
    const auto below = failed.below_view(), right = failed.right_view();
    const bool hermitian = kind == Factorization::ldlh;
    for_each_row(delayed.ncb, failed.npiv, relative_rows, [&](index_t r, index_t own, index_t row) {
        for (index_t j = 0; j < cols; ++j) {
            const T x = from(rows + r, j);
            if (own < 0)
                below(row, n + j) = x;
            else if (symmetric)
                own_rows(m + j, own) = conjugate_if(hermitian, x);
            else
                own_columns(own, n + j) = x;
        }
        if (symmetric) return;
        for (index_t i = 0; i < rows; ++i) {
            const T x = delayed.row_part[static_cast<std::size_t>(i) +
                                         static_cast<std::size_t>(r) * static_cast<std::size_t>(rows)];
            (own < 0 ? right(m + i, row) : own_rows(m + i, own)) = x;
        }
    });
    free_counted(delayed.columns, failed.account);
    free_counted(delayed.row_part, failed.account);
    delayed = {};
}

template <class T>
void eliminate_failed(Factorization kind, bool at_root, FailedColumns<T>&& failed, const PivotRule& rule,
                      SecondPass<T>& second_pass, DelayedColumns<T>& delayed, PivotReport& report) {
    const EnsuredBytes ensured(failed.account, elimination_bytes(kind, failed));
    SecondPassColumns<T> columns;
    columns.ncb = failed.ncb;
    columns.a = square_and_below(failed);
    columns.b = std::move(failed.right);
    columns.row_position = std::move(failed.row_position);
    columns.column_position = std::move(failed.column_position);
    second_pass.npiv = failed.npiv;
    second_pass.own_rows = std::move(failed.own_rows);
    second_pass.own_columns = std::move(failed.own_columns);
    run_second_pass(kind, at_root, std::move(columns), rule, second_pass, delayed, report, failed.account);
}

#define FROND_INSTANTIATE(T)                                                                                     \
    template struct FailedColumns<T>;                                                                            \
    template void take_delayed<T>(Factorization, DelayedColumns<T>&, const index_t*, FailedColumns<T>&);         \
    template void eliminate_failed<T>(Factorization, bool, FailedColumns<T>&&, const PivotRule&, SecondPass<T>&, \
                                      DelayedColumns<T>&, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
