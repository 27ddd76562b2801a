// SPDX-License-Identifier: BSD-3-Clause
// Products that are made by one rank and added by another. One rank alone does both, too, if the bits must agree.
#pragma once

#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"
#include "frond/cpu/pivot_report.hpp"

namespace frond::cpu {

/// "avx512", "avx2" or "baseline": the vectors that the dense kernels use in this process. The
/// widest that the processor has; the environment variable FROND_INSTRUCTION_SET, read once, names
/// a narrower one.
const char* instruction_set() noexcept;

}  // namespace frond::cpu

namespace frond {

/// Part of a child's contribution that falls into one tile of its parent.
/// child(r, c) for r in [row_begin, row_end), c in [column_begin, column_end) (numbers in the child's
/// contribution block) goes to parent rows relative_rows[r]. The buffer holds the child's rows from
/// buffer_row and columns from buffer_column on.
struct ChildPiece {
    const index_t* relative_rows = nullptr;
    index_t row_begin = 0, row_end = 0;
    index_t column_begin = 0, column_end = 0;
    index_t buffer_row = 0, buffer_column = 0;
};

namespace cpu {

/// tile(relative[r] - first_row, relative[c] - first_column) += child(r, c) for all r, c of the piece;
/// lower: of r >= c.
template <class T>
void extend_add_piece(const ChildPiece& piece, DenseView<const T> child, index_t first_row, index_t first_column,
                      bool lower, DenseView<T> tile);

}  // namespace cpu

}  // namespace frond

namespace frond::cpu {

/// Y := -op(A) X                a [m, k] as stored
template <class T>
void negated_product(DenseView<const T> a, Operation op, DenseView<const T> x, DenseView<T> y);

/// Y := Y + X
template <class T>
void add_to(DenseView<const T> x, DenseView<T> y);

// Dense kernels on plain column-major memory; single-threaded, no allocation: each takes a
// workspace of at least <kernel>_workspace(...) scalars where it needs one, and up to 0.5 MiB of
// the call stack. Instantiated for the four scalars. Used by the tile tasks and, with the whole
// front as one "tile", inside subtrees. NaN and Inf in the data come out as NaN, Inf or a failed
// column.
// Pivots below rule.smallest_pivot are raised to it. With smallest_pivot = 0 a zero pivot stays
// (and report.zero says so); panels divided by it then hold Inf or NaN.

// --- diagonal blocks ------------------------------------------------------------------------
// After LDL^T / LU: swaps are a permutation, not LAPACK's sequence: perm[k] = the local row of the
// unfactored block that ended at position k.

/// A = L L^H in the lower triangle of a [n, n]; the strict upper triangle is not touched.
/// report.failed_column is the first column with a pivot that is not positive and finite; then a is
/// partly factored. The imaginary part of the diagonal is ignored.
template <class T>
void factor_llt(DenseView<T> a, PivotReport& report);

/// P A P^T = L D L^T (hermitian: L D L^H), unit lower L below the diagonal of a [n, n], lower
/// triangle only. 1x1 and 2x2 pivots, rook search over the whole block (Ashcraft, Grimes & Lewis
/// 1998), so |l| <= 2.78. pivots [2, n]: pivots[2k] = d_kk, pivots[2k+1] = d_{k+1,k} when columns
/// k, k+1 form a 2x2 pivot (then pivots[2k+3] = 0), else 0. The diagonal of a is left as 1. A 2x2
/// pivot with a singular value that may be below the limit gives way to 1x1 pivots, raised where
/// needed. Hermitian: imaginary parts of the diagonal are dropped.
/// rule.threshold > 0: the first pass of threshold pivoting (threshold.hpp). Nothing is raised or
/// counted; pivots at or below the null limit are replaced, replaced [n] := what was added to each
/// (else 0), so that P A P^T + diag(replaced) = L D L^T; 2x2 pivots with a singular value that may
/// be at or below the limit are not taken. The same for LU: P A + diag(replaced) = L U.
template <class T>
void factor_ldlt(DenseView<T> a, bool hermitian, const PivotRule& rule, T* pivots, index_t* perm, T* workspace,
                 PivotReport& report, T* replaced = nullptr);
count_t factor_ldlt_workspace(index_t n);

/// P A = L U, partial pivoting inside the block a [n, n].
template <class T>
void factor_lu(DenseView<T> a, const PivotRule& rule, index_t* perm, T* workspace, PivotReport& report,
               T* replaced = nullptr);
count_t factor_lu_workspace(index_t n);

// --- panels ---------------------------------------------------------------------------------

/// A21 := A21 L11^-H                                        a21 [m, n], l11 [n, n]
template <class T>
void solve_panel_llt(DenseView<const T> l11, DenseView<T> a21);

/// L21 := A21 P^T L11^-T D^-1 (hermitian: L11^-H), in place in a21 [m, n];
/// l21_d [m, n] := L21 D, which the updates need (conjugated there when Hermitian).
/// *largest_l, where wanted: the largest |re| + |im| of L21, infinity when one is NaN.
template <class T>
void solve_panel_ldlt(DenseView<const T> l11, bool hermitian, const T* pivots, const index_t* perm, DenseView<T> a21,
                      DenseView<T> l21_d, double* largest_l = nullptr);

/// A21 := A21 U11^-1                                        a21 [m, n]
template <class T>
void solve_panel_lu_lower(DenseView<const T> lu11, DenseView<T> a21);

/// A12 := L11^-1 P A12                                      a12 [n, m]
template <class T>
void solve_panel_lu_upper(DenseView<const T> lu11, const index_t* perm, DenseView<T> a12, T* workspace);
count_t solve_panel_lu_upper_workspace(index_t n, index_t m);

// --- updates --------------------------------------------------------------------------------

/// C := C - A B                  c [m, n], a [m, k], b [k, n]
template <class T>
void update_general(DenseView<const T> a, DenseView<const T> b, DenseView<T> c);

/// C := C - A B^T (adjoint: B^H) c [m, n], a [m, k], b [n, k]
template <class T>
void update_transposed(DenseView<const T> a, DenseView<const T> b, bool adjoint, DenseView<T> c);

/// Lower triangle of C := C - A B^T (adjoint: B^H), c [n, n], a and b [n, k]; the strict upper
/// triangle of C is not changed. For LL^T a == b (rank-k update); for LDL^T a = L, b = L D.
template <class T>
void update_lower(DenseView<const T> a, DenseView<const T> b, bool adjoint, DenseView<T> c);

// --- whole fronts, as inside subtrees -------------------------------------------------------

/// Partial factorization of one front: panel [nfront, npiv], upper [npiv, ncb] (LU only, else
/// empty), contribution [ncb, ncb] (lower triangle for the symmetric kinds) := its Schur
/// complement. perm [npiv], pivots [2, npiv] as above. kind: llt, ldlt, ldlh, lu. Pivot search over
/// all npiv fully summed rows. Tiny fronts run in register-blocked loops without packing, larger
/// ones in blocked steps.
/// rule.threshold > 0: when not every pivot may be kept (|l_ij| <= 1 / rule.threshold, none null),
/// report.rejected is set, nothing else is reported, panel and upper are overwritten and contribution is
/// as it was: the caller assembles the front again for the second pass (factor_second_pass_*).
template <class T>
void factor_front(Factorization kind, DenseView<T> panel, DenseView<T> upper, DenseView<T> contribution,
                  const PivotRule& rule, index_t* perm, T* pivots, T* workspace, PivotReport& report);
count_t factor_front_workspace(Factorization kind, index_t npiv, index_t nfront);

// --- assembly -------------------------------------------------------------------------------

/// target(rows[i], rows[j]) += child(i, j) over the lower triangle of child [n, n], rows ascending.
/// target positions relative to a panel [nfront, npiv] and a contribution [ncb, ncb]: local rows
/// >= npiv belong to the contribution. (Symmetric kinds.)
template <class T>
void extend_add_lower(DenseView<const T> child, const index_t* rows, DenseView<T> panel, DenseView<T> contribution);

/// The same for a full square child, into panel, upper and contribution. (LU.)
template <class T>
void extend_add_full(DenseView<const T> child, const index_t* rows, DenseView<T> panel, DenseView<T> upper,
                     DenseView<T> contribution);

// --- substitution with the panels of a front, x [npiv, nrhs] and y [ncb, nrhs] ---------------

/// forward:  x := L11^-1 P x (LL^T, LDL^T, LU);  y := y - L21 x
template <class T>
void forward_front(Factorization kind, DenseView<const T> panel, const index_t* perm, DenseView<T> x, DenseView<T> y);
/// diagonal: x := D^-1 x (LDL^T and LDL^H only; nothing for the others)
template <class T>
void diagonal_front(Factorization kind, const T* pivots, DenseView<T> x);
/// backward: x := x - L21^T y (LL^H, LDL^H: L21^H), or x - U12 y for LU; then x := P^T L11^-T x, or
/// U11^-1 x
template <class T>
void backward_front(Factorization kind, DenseView<const T> panel, DenseView<const T> upper, const index_t* perm,
                    DenseView<const T> y, DenseView<T> x);
/// The same for the transposed (adjoint: conjugate transposed) system:
/// LU: forward with U^T, backward with L^T. Symmetric kinds: handled by the caller through
/// conjugation, A^T x = b of a Hermitian A (llt, ldlh) and A^H x = b of a complex symmetric A
/// (ldlt) being A conj(x) = conj(b); the other operation is A itself.
template <class T>
void forward_front_transposed(DenseView<const T> panel, DenseView<const T> upper, bool adjoint, DenseView<T> x,
                              DenseView<T> y);
template <class T>
void backward_front_transposed(DenseView<const T> panel, const index_t* perm, bool adjoint, DenseView<const T> y,
                               DenseView<T> x);

/// Y := Y - op(A) X                a [m, k] as stored; one right-hand side runs at memory
/// bandwidth.
template <class T>
void subtract_product(DenseView<const T> a, Operation op, DenseView<const T> x, DenseView<T> y);

}  // namespace frond::cpu
