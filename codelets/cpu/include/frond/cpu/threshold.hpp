// SPDX-License-Identifier: BSD-3-Clause
// Threshold pivoting after the fact (Hogg, Ovtchinnikov & Scott 2016, section 3; Duff, Hogg & Lopez
// 2020): |l_ij| <= 1/u in every row of the front for every pivot that is kept.
//
// First pass, per diagonal block: factor_ldlt or factor_lu with rule.threshold > 0 (no pivot is
// perturbed for good: one at or below rule.zero_pivot is replaced by rule.smallest_pivot, and the
// column is not kept), solve_panel_*, first_column_above on each panel; then `kept` is the least
// over all of them and the functions unfactor_* and unsolve_* bring the other columns back, as they
// are with the kept ones eliminated.
// Second pass, over the columns that are left: factor_second_pass_*.
// Single-threaded, no allocation, column-major; instantiated for the four scalars.
#pragma once

#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"
#include "frond/cpu/pivot_report.hpp"

namespace frond::cpu {

/// First column of l [m, n] with an entry |re| + |im| > bound or NaN; n when there is none.
/// largest := the largest of it and of |re| + |im| in the columns before.
template <class T>
index_t first_column_above(DenseView<const T> l, double bound, double& largest);

/// Largest |re| + |im| of l [m, n]; infinity when one is NaN.
template <class T>
double largest_magnitude(DenseView<const T> l);

/// Columns that the diagonal block itself allows to keep: the position of the first replaced pivot,
/// n when there is none. `replaced` [n]: what factor_* left: replaced[k] = new pivot - pivot.
template <class T>
index_t first_replaced_pivot(index_t n, const T* replaced);

/// `kept`, one less when that would halve a 2x2 pivot.
template <class T>
index_t whole_pivots(index_t kept, const T* pivots);

/// Adds the first `kept` pivots to the report, which the first pass leaves to its caller: signs,
/// 2x2 pivots, log |det|, and null pivots (as `zero` only). LDL^T, LDL^H: from pivots [2, kept];
/// LU: from the diagonal of `block`.
template <class T>
void count_pivots(Factorization kind, index_t kept, DenseView<const T> block, const T* pivots, PivotReport& report);

// --- back to where only the first `kept` pivots are eliminated (panels first, then the block)
// -----

/// On entry L of factor_ldlt in a [n, n]; on exit a(kept.., kept..) (lower) = Schur complement of
/// the first kept pivots, a(kept.., ..kept) as it was (L of the kept columns).
template <class T>
void unfactor_ldlt(DenseView<T> a, bool hermitian, index_t kept, const T* pivots, const T* replaced);
/// The same for factor_lu; the block a(kept.., kept..) is full.
template <class T>
void unfactor_lu(DenseView<T> a, index_t kept, const T* replaced);

/// l21, l21_d [m, n] as solve_panel_ldlt left them, l11 not yet unfactored. Columns kept.. of l21_d
/// := columns kept.. of A21 P^T with the kept pivots eliminated; those of l21 := 0.
template <class T>
void unsolve_panel_ldlt(DenseView<const T> l11, bool hermitian, index_t kept, DenseView<T> l21, DenseView<T> l21_d);
/// l21 [m, n] as solve_panel_lu_lower left it, saved = A21 before: saved(:, kept..) := those
/// columns with the kept pivots eliminated; l21(:, kept..) := 0.
template <class T>
void unsolve_panel_lu_lower(DenseView<const T> lu11, index_t kept, DenseView<T> l21, DenseView<T> saved);
/// u12 [n, m] as solve_panel_lu_upper left it: rows kept.. := those of P A12 with the kept pivots
/// eliminated (they stay in u12; the caller moves them away and clears them).
template <class T>
void unsolve_panel_lu_upper(DenseView<const T> lu11, index_t kept, DenseView<T> u12);

// --- second pass ---------------------------------------------------------------------------------

/// Result of a second pass. Pivots 0 .. kept - 1 were eliminated, null ones among them.
struct SecondPassOutcome {
    index_t kept = 0;  // LDL^T: pivots, null ones included; LU: pivots with a value
    index_t null = 0;  // LDL^T: of the kept ones; LU: columns found null, they follow the kept ones
};

/// LDL^T (hermitian: LDL^H) with threshold pivoting of the leading f = a.cols rows and columns of
/// the lower trapezoid a [f + r, f]: a 1x1 pivot has |d| >= u max |column|, a 2x2 pivot has |D^-1|
/// |two columns| <= 1/u, over all f + r rows (Duff & Reid 1983 test; SSIDS' second pass). All 1x1
/// and 2x2 candidates are tried before a column is left over. With r = 0 nothing is left over. A
/// column whose entries are all <= rule.zero_pivot is a null pivot: d = 0, its column of L is 0. On
/// exit perm[k] = the row that ended at position k (f entries); columns < kept: unit L (diagonal 1)
/// in all f + r rows; columns >= kept: the Schur complement (lower trapezoid).
/// pivots [2, f] as factor_ldlt leaves them, (0, 0) for a null pivot. The strict upper triangle of
/// a is scratch. rule.threshold counts as 0.5 at most (complex: 0.35), so that with r = 0 a pivot
/// always exists. Kept pivots are added to the report as by count_pivots; largest_l too.
/// null_rest [f], if given: of a null pivot at its position the largest entry that was left; else 0.
template <class T>
SecondPassOutcome factor_second_pass_ldlt(DenseView<T> a, bool hermitian, const PivotRule& rule, T* pivots,
                                          index_t* perm, T* workspace, PivotReport& report,
                                          double* null_rest = nullptr);
count_t factor_second_pass_ldlt_workspace(index_t f, index_t r);

/// Which columns of a [m, n] are sums of multiples of the others, but for entries |re| + |im| <= zero:
/// elimination with complete pivoting until no larger entry is left. dependent[j] := 1 for those
/// columns, else 0; returns their number. a is destroyed. No entry may be NaN. rest := the largest
/// entry that is left, if asked for.
template <class T>
index_t find_dependent_columns(DenseView<T> a, double zero, unsigned char* dependent, double* rest = nullptr);
/// 2 m (n - k) operations for its pivot k = 1 .. rank.
inline double find_dependent_columns_flops(double m, double n, double rank) { return m * rank * (2 * n - rank - 1); }

/// LU with threshold partial pivoting. a [m + r, f]: the f columns left, over m rows that may be
/// pivots and r that may not; b [m, c]: the other columns of the m rows. m and f may differ.
/// A pivot is the largest of its column among the m rows and has |pivot| >= u max |column| over all
/// m + r rows; a column without one waits until others were eliminated. With r = 0 every column
/// that is not null gets a pivot while there are rows. A column whose entries in all rows still
/// left (the m and the r) are <= rule.zero_pivot is null: it takes no row. Columns are ordered kept
/// ..., null ..., left over ...; rows kept ..., left over ... On exit row_perm [m], column_perm [f]
/// as perm above; L (unit, below) and U of the kept columns in a, U's rows in all f columns; b's
/// kept rows are U too; the rest of a and b: Schur complement. Null columns are 0 in the rows that
/// were left when they were found. Kept pivots are added to the report, null columns to its `zero`.
/// null_rest [f], if given: as for factor_second_pass_ldlt.
template <class T>
SecondPassOutcome factor_second_pass_lu(DenseView<T> a, DenseView<T> b, index_t r, const PivotRule& rule,
                                        index_t* row_perm, index_t* column_perm, T* workspace, PivotReport& report,
                                        double* null_rest = nullptr);
count_t factor_second_pass_lu_workspace(index_t m, index_t r, index_t f, index_t c);

}  // namespace frond::cpu
