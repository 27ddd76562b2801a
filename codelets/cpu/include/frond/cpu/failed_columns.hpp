// SPDX-License-Identifier: BSD-3-Clause
// The columns of a front on tiles that no panel has eliminated yet although their turn is over: delayed
// by children, or given back by the first pass. Every later panel updates and tests them with its own, so
// that the threshold test covers their rows, too; the second pass follows after the last panel.
#pragma once

#include "frond/cpu/second_pass.hpp"
#include "frond/cpu/memory_account.hpp"

#include <vector>

namespace frond::cpu {

/// F: the failed rows and columns, in the order in which they came. Column-major, ld = rows of the
/// block; LDL^T keeps A(F, own columns), A(F, F) lower, A(contribution rows, F).
template <class T>
struct FailedColumns {
    index_t npiv = 0;  // own columns of the front
    index_t ncb = 0;
    std::vector<index_t> row_position, column_position;  // LDL^T: the same
    HostVector<T> own_rows;  // [rows, npiv]; L(F, k) once the pivots of panel k are accepted
    HostVector<T> own_columns;  // [npiv, cols] LU; U(k, F) once the pivots of panel k are accepted
    HostVector<T> square;  // [rows, cols]
    HostVector<T> below;  // [ncb, cols]
    HostVector<T> right;  // [rows, ncb] LU

    MemoryAccount* account = nullptr;  // where the blocks are counted

    FailedColumns() = default;
    FailedColumns(index_t own, index_t contribution, MemoryAccount* counted = nullptr)
        : npiv(own), ncb(contribution), account(counted) {}

    index_t rows() const { return static_cast<index_t>(row_position.size()); }
    index_t cols() const { return static_cast<index_t>(column_position.size()); }
    bool empty() const { return row_position.empty() && column_position.empty(); }
    count_t bytes() const {
        return static_cast<count_t>(
            (own_rows.size() + own_columns.size() + square.size() + below.size() + right.size()) * sizeof(T));
    }

    DenseView<T> own_rows_view() { return view(own_rows, rows(), npiv); }
    DenseView<T> own_columns_view() { return view(own_columns, npiv, cols()); }
    DenseView<T> square_view() { return view(square, rows(), cols()); }
    DenseView<T> below_view() { return view(below, ncb, cols()); }
    DenseView<T> right_view() { return view(right, rows(), ncb); }

    /// What append(symmetric, ...) of so many rows and columns takes at most, in addition to what is there.
    count_t append_bytes(bool symmetric, index_t more_rows, index_t more_cols) const;
    /// Room for more rows and columns, with entries 0, after those that are there.
    void append(bool symmetric, const std::vector<index_t>& new_row_positions,
                const std::vector<index_t>& new_column_positions);

private:
    static DenseView<T> view(HostVector<T>& block, index_t m, index_t n) { return {block.data(), m, n, m > 0 ? m : 1}; }
};

/// Takes over the columns that a child delays; `delayed` is empty afterwards, its bytes given back. relative_rows
/// [delayed.ncb]: local rows of the child's contribution rows in this front. failed.account counts both; before
/// anything is changed it is asked to ensure a bound.
/// @throws std::bad_alloc, or what failed.account refuses with
template <class T>
void take_delayed(Factorization kind, DelayedColumns<T>& delayed, const index_t* relative_rows,
                  FailedColumns<T>& failed);

/// One panel of a front after its first pass: the diagonal block (factor_ldlt, factor_lu) and the tiles
/// in its columns and rows (solve_panel_*).
template <class T>
struct FactoredPanel {
    index_t first_column = 0;  // local in the front
    index_t first_position = 0;  // elimination position of it
    DenseView<T> diagonal;
    const index_t* perm = nullptr;
    T* pivots = nullptr;  // LDL^T
    const T* replaced = nullptr;  // see threshold.hpp
    struct Tile {
        index_t begin = 0;  // first local row (of left) or column (of upper) in the front
        DenseView<T> left;  // L21
        DenseView<T> spare;  // LDL^T: L21 D; LU: A21 as it was before
        DenseView<T> upper;  // U12, LU
    };
    std::vector<Tile> tiles;  // all after the diagonal block, ascending
};

/// Applies the panel to the failed columns, decides how many of its pivots stay (at most `limit`, the
/// least that the panel tiles allow), gives the other columns back to `failed` and updates the columns
/// there. Afterwards the columns not kept are identity in the diagonal block, 0 in the other tiles
/// (and in the spares of LDL^T). Returns the number kept; counts them in the report.
/// Work vectors are counted on failed.account, too; before anything is changed it is asked to ensure a bound
/// of all.
/// @throws std::bad_alloc, or what failed.account refuses with
template <class T>
index_t accept_pivots(Factorization kind, const PivotRule& rule, index_t limit, FactoredPanel<T>& panel,
                      FailedColumns<T>& failed, PivotReport& report);

/// The second pass over the failed columns, after the last panel; see run_second_pass. Afterwards
/// failed.account counts second_pass.bytes() + delayed.bytes() in place of failed.bytes(); before anything is
/// changed it is asked to ensure a bound of what is taken on the way.
template <class T>
void eliminate_failed(Factorization kind, bool at_root, FailedColumns<T>&& failed, const PivotRule& rule,
                      SecondPass<T>& second_pass, DelayedColumns<T>& delayed, PivotReport& report);

}  // namespace frond::cpu
