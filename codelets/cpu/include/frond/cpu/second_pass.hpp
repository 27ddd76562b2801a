// SPDX-License-Identifier: BSD-3-Clause
// The columns that the first pass of threshold pivoting could not eliminate in their front, and what
// the second pass makes of them. Sizes are known at run time only, and most fronts have none: the
// memory is their own, outside of the panels that the analysis laid out.
//
// A column is named by its position: the elimination position where the first pass left it (its position in
// the vector of a substitution), whatever front eliminates it later.
// LU: a row has a position, too. The positions of a front's rows of the second pass are those of its columns of
// that pass and those of null columns found below (a null column takes no row). The second pass renames the
// rows, a permutation of their positions like the row swaps of the first pass: a kept pivot's row gets
// its column's position, so no value of the forward pass is overwritten before its backward step, and
// P A = L U over positions.
#pragma once

#include "frond/cpu/dense_view.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/cpu/memory_account.hpp"
#include "frond/cpu/threshold.hpp"

#include <vector>

namespace frond::cpu {

/// What a front hands to its parent: the Schur complement of columns (and, LU, rows) not eliminated.
/// LDL^T: columns [rows + ncb, cols] lower trapezoid, rows = cols. LU: columns [rows + ncb, cols]
/// and row_part [rows, ncb]. ncb: contribution rows of the front that delays them.
/// LU: row i < cols has the position of column i; there may be more rows than columns.
template <class T>
struct DelayedColumns {
    std::vector<index_t> row_position, column_position;  // LDL^T: the same list
    index_t ncb = 0;
    HostVector<T> columns;
    HostVector<T> row_part;

    index_t rows() const { return static_cast<index_t>(row_position.size()); }
    index_t cols() const { return static_cast<index_t>(column_position.size()); }
    bool empty() const { return row_position.empty() && column_position.empty(); }
    count_t bytes() const { return static_cast<count_t>((columns.size() + row_part.size()) * sizeof(T)); }
};

/// Factors of the columns of the second pass of one front. Rows and columns in the order of the second pass:
/// kept ones first, then null columns, then the delayed ones.
///   own_rows [rows, npiv]     L(F, own columns): LDL^T, LU          empty where the first pass
///   own_columns [npiv, cols]  U(own rows, F): LU                    eliminated nothing
///   panel [rows + ncb, kept]  L of the second pass (LU: and U on and above the diagonal)
///   upper [kept, cols - kept + ncb]  U to the right: LU
///   pivots [2, kept]          LDL^T
/// LDL^T: pivots of factor_second_pass_ldlt that are null are among the null columns here, not the kept ones.
template <class T>
struct SecondPass {
    index_t npiv = 0;  // first-pass columns of the front
    index_t ncb = 0;
    index_t kept = 0;
    std::vector<index_t> row_position, column_position;  // LDL^T: the same
    std::vector<index_t> row_position_after;  // LU: row_position renamed; [k] = column_position[k], k < kept
    // column_position[kept .. kept + null_columns): what is left of them is zero, or (LDL^T) depends on columns
    // delayed, of which every parent would find them null in the end.
    index_t null_columns = 0;
    index_t null_rows = 0;  // LDL^T: null_columns; LU, at a root: rows left without a column, positions kept ..
    // [null_columns], in their order: the largest entry that elimination left of each; of those that depend on
    // delayed columns, of them all.
    std::vector<double> null_rest;
    double search_flops = 0;  // of find_dependent_columns, in operations of T
    HostVector<T> own_rows, own_columns, panel, upper, pivots;

    index_t rows() const { return static_cast<index_t>(row_position.size()); }
    index_t cols() const { return static_cast<index_t>(column_position.size()); }
    count_t bytes() const {
        return static_cast<count_t>(
            (own_rows.size() + own_columns.size() + panel.size() + upper.size() + pivots.size()) * sizeof(T));
    }
};

/// The columns before the second pass: a [rows + ncb, cols] (LDL^T: lower trapezoid, rows = cols),
/// b [rows, ncb] (LU). The position of every column is that of a row, too; rows >= cols.
template <class T>
struct SecondPassColumns {
    index_t ncb = 0;
    std::vector<index_t> row_position, column_position;
    HostVector<T> a, b;

    index_t rows() const { return static_cast<index_t>(row_position.size()); }
    index_t cols() const { return static_cast<index_t>(column_position.size()); }
};

/// Second pass: eliminates what it can of `columns` and splits it into factors and what is delayed.
/// kind: ldlt, ldlh, lu. at_root: the front has no parent; then nothing is delayed: LU rows that are
/// left are null rows. `second_pass` comes with npiv, own_rows and own_columns, whose rows (columns) are
/// brought into the new order; the rest of it and `delayed` are overwritten. The report gets what the
/// second pass counts, the columns delayed, and the largest |l_ij|.
/// The update of the contribution block is the caller's: update_contribution.
/// account: counts columns.bytes(), own_rows and own_columns before, second_pass.bytes() + delayed.bytes()
/// afterwards; on the way work vectors and copies, too. Not counted are the lists of positions.
/// @throws std::bad_alloc, or what the account refuses with
template <class T>
void run_second_pass(Factorization kind, bool at_root, SecondPassColumns<T>&& columns, const PivotRule& rule,
                     SecondPass<T>& second_pass, DelayedColumns<T>& delayed, PivotReport& report,
                     MemoryAccount* account = nullptr);

/// c := c - L_contribution (D) U_contribution of the kept pivots of the second pass for the block of the
/// contribution rows first_row .. and columns first_column .. that c covers; lower: only the lower
/// triangle of c (first_row = first_column, LDL^T). account: counts c.cols * kept scalars meanwhile, LDL^T.
template <class T>
void update_contribution(Factorization kind, const SecondPass<T>& second_pass, index_t first_row, index_t first_column,
                         bool lower, DenseView<T> c, MemoryAccount* account = nullptr);

// --- substitution -------------------------------------------------------------------------------
// x [n, nrhs] holds the values, as `rows` says, y [ncb, nrhs] the contribution rows. op: LU only; the symmetric kinds
// conjugate outside, as in kernels.hpp. They allocate rows * nrhs or cols * nrhs scalars. @throws std::bad_alloc

/// In which rows of x the values of a second pass are. Its lists have the order of the positions in SecondPass, and the rows
/// are their numbers less `first`.
struct SecondPassRows {
    const index_t *row = nullptr, *row_after = nullptr, *column = nullptr;  // row_after: LU alone
    index_t first = 0;
    index_t own = 0;  // row of the front's first own column, which the others of its npiv follow
};

/// The rows of an x that has all positions from first_position on. own_first: the position of the front's first own
/// column.
template <class T>
SecondPassRows rows_of_positions(const SecondPass<T>& second_pass, index_t first_position, index_t own_first) {
    return {second_pass.row_position.data(), second_pass.row_position_after.data(), second_pass.column_position.data(),
            first_position, own_first - first_position};
}

/// After the first-pass forward of the front: x(F) := L^-1 (x(F) - L(F, own) x(own)) for the kept
/// rows, the delayed rows and y get their updates; LU: rows are found at row_position and left at
/// row_position_after. LU transposed (adjoint): with U^T (U^H), over column_position.
template <class T>
void forward_second_pass(Factorization kind, Operation op, const SecondPass<T>& second_pass, const SecondPassRows& rows,
                         DenseView<T> x, DenseView<T> y);
/// LDL^T: x := D^-1 x for the kept rows.
template <class T>
void diagonal_second_pass(Factorization kind, const SecondPass<T>& second_pass, const SecondPassRows& rows,
                          DenseView<T> x);
/// Before the first-pass backward of the front: the kept columns are solved for, with the solution at
/// the delayed ones and y; null columns: x := 0. Then x(own) gets the updates of all F.
/// LU transposed (adjoint): with L^T (L^H) over the rows, found at row_position_after and left at
/// row_position; null rows: 0.
template <class T>
void backward_second_pass(Factorization kind, Operation op, const SecondPass<T>& second_pass,
                          const SecondPassRows& rows, DenseView<const T> y, DenseView<T> x);

}  // namespace frond::cpu
