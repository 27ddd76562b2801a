// SPDX-License-Identifier: BSD-3-Clause
// The register-blocked kernels, compiled once for each instruction set and chosen at run time by
// what the processor has, so that one binary runs everywhere.
#pragma once

#include "frond/base/types.hpp"
#include "pivot_judge.hpp"

namespace frond::cpu::simd {

/// Columns of LDL^T eliminated between two updates of the rest of the matrix.
inline constexpr index_t ldlt_block = 48;
/// Largest order of the triangles that solve_ldlt_rows takes.
inline constexpr index_t ldlt_rows_order = 128;
/// Largest order of the triangles that left_solve_lower takes.
inline constexpr index_t left_triangle_order = 64;

/// Column-major operands with leading dimensions, as in BLAS. `conjugated` has no effect on real
/// scalars.
template <class T>
struct KernelTable {
    const char* name;
    /// Products of at least so many multiplications are better left to the BLAS.
    count_t library_volume;

    /// C [m, n] -= A [m, k] B, b [k, n].
    void (*update_general)(index_t m, index_t n, index_t k, const T* a, index_t lda, const T* b, index_t ldb,
                           bool conjugated, T* c, index_t ldc);
    /// C [m, n] -= A [m, k] B^T or B^H, b [n, k].
    void (*update_transposed)(index_t m, index_t n, index_t k, const T* a, index_t lda, const T* b, index_t ldb,
                              bool conjugated, T* c, index_t ldc);
    /// The same for the lower triangle of C [n, n].
    void (*update_lower)(index_t n, index_t k, const T* a, index_t lda, const T* b, index_t ldb, bool conjugated, T* c,
                         index_t ldc);
    /// Lower triangle of C [n, n] -= A D A^T or A D A^H, D of pivots [2, k] without 2x2 pivots; A
    /// should fit the second cache.
    void (*update_lower_scaled)(index_t n, index_t k, const T* a, index_t lda, const T* pivots, bool conjugated, T* c,
                                index_t ldc);
    /// X [m, n] := X L^-T or X L^-H; the second for unit L.
    void (*right_solve_lower)(index_t m, index_t n, const T* l, index_t ldl, bool conjugated, T* x, index_t ldx);
    void (*right_solve_unit_lower)(index_t m, index_t n, const T* l, index_t ldl, bool conjugated, T* x, index_t ldx);
    /// X [m, n] := X U^-1.
    void (*right_solve_upper)(index_t m, index_t n, const T* u, index_t ldu, T* x, index_t ldx);
    /// B [n, m] := L^-1 B, n <= left_triangle_order; the second for unit L.
    void (*left_solve_lower)(index_t n, index_t m, const T* l, index_t ldl, T* b, index_t ldb);
    void (*left_solve_unit_lower)(index_t n, index_t m, const T* l, index_t ldl, T* b, index_t ldb);

    /// [L11; L21] of a panel [m, n]; squares [n] := l_jj^2. First column that fails, or -1.
    index_t (*llt_panel)(index_t m, index_t n, T* a, index_t lda, real_t<T>* squares);
    /// P A = L U of a panel [m, n], m >= n; row c was exchanged with row swaps[c]. `first`:
    /// position of the first column in its block, for the judge.
    void (*lu_panel)(index_t m, index_t n, T* a, index_t lda, index_t* swaps, index_t first,
                     const PivotJudge<T>& judge);
    /// Columns first .. of L D L^T of a lower triangle a [n, n], at most ldlt_block of them;
    /// w [n, ldlt_block + 1] := L D of these columns. Returns the first column not eliminated (one
    /// more than asked for, if a 2x2 pivot comes last); the matrix from there on is not updated.
    /// Row first + c was exchanged with row swaps[c], but not in the columns before `first`.
    index_t (*ldlt_columns)(index_t n, index_t first, index_t columns, T* a, index_t lda, bool hermitian, T* pivots,
                            index_t* perm, T* w, index_t* swaps, const PivotJudge<T>& judge);
    /// x [m, n] := A L11^-T D^-1 (or L11^-H), D of pivots [2, n] without 2x2 pivots, n <=
    /// ldlt_rows_order; A may be x. Returns the largest |re| + |im| of x, infinity when one is NaN.
    /// The second writes l_d := x D as well, and A may be l_d.
    real_t<T> (*solve_ldlt_rows)(index_t m, index_t n, const T* l11, index_t ldl, bool conjugated, const T* pivots,
                                 const T* a, index_t lda, T* x, index_t ldx, T* l_d, index_t ld_l_d);
    real_t<T> (*solve_ldlt_rows_both)(index_t m, index_t n, const T* l11, index_t ldl, bool conjugated, const T* pivots,
                                      const T* a, index_t lda, T* x, index_t ldx, T* l_d, index_t ld_l_d);
    /// to [m, n] := from D^-1, D of L D L^T given by pivots [2, n].
    void (*divide_by_pivots)(index_t m, index_t n, const T* pivots, bool hermitian, const T* from, index_t ld_from,
                             T* to, index_t ld_to);

    /// First column of a [m, n] with an entry |re| + |im| > bound or NaN; n when there is none.
    /// largest := the largest |re| + |im| of the columns before it.
    index_t (*first_column_above)(index_t m, index_t n, const T* a, index_t lda, real_t<T> bound, real_t<T>& largest);
    /// x [m] -= A y, A [m, n]; returns the row of its largest |re| + |im|, -1 when all are NaN.
    index_t (*reduce_column)(index_t m, index_t n, const T* a, index_t lda, const T* y, T* x, real_t<T>& largest);

    void (*extend_add_lower)(index_t n, const T* child, index_t ld, const index_t* rows, index_t npiv, T* panel,
                             index_t ld_panel, T* contribution, index_t ld_contribution);
    void (*extend_add_full)(index_t n, const T* child, index_t ld, const index_t* rows, index_t npiv, T* panel,
                            index_t ld_panel, T* upper, index_t ld_upper, T* contribution, index_t ld_contribution);

    /// y [m] -= A x, A [m, n]; and x [n] -= A^T y or A^H y.
    void (*subtract_product)(index_t m, index_t n, const T* a, index_t lda, const T* x, T* y);
    void (*subtract_transposed_product)(index_t m, index_t n, const T* a, index_t lda, bool conjugated, const T* y,
                                        T* x);
    /// One right-hand side: x [n] := L11^-1 x, y [m] -= L21 x.
    void (*forward_lower)(index_t n, index_t m, const T* l, index_t ld, bool unit, T* x, T* y);
    /// x := L11^-T (x - L21^T y)
    void (*backward_lower)(index_t n, index_t m, const T* l, index_t ld, bool unit, bool conjugated, const T* y, T* x);
    /// x := U11^-1 (x - U12 y)
    void (*backward_upper)(index_t n, index_t m, const T* u11, index_t ld, const T* u12, index_t ld12, const T* y,
                           T* x);
    /// x := U11^-T x, y -= U12^T x
    void (*forward_upper)(index_t n, index_t m, const T* u11, index_t ld, const T* u12, index_t ld12, bool conjugated,
                          T* x, T* y);
};

/// The table for this processor.
template <class T>
const KernelTable<T>& kernels();

}  // namespace frond::cpu::simd
