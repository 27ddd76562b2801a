// SPDX-License-Identifier: BSD-3-Clause
// Products, residuals, norms and hashes of canonical matrices.
#pragma once

#include "frond/base/parallel_for.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <functional>
#include <vector>

namespace frond {

/// How the columns of a matrix are cut for products: chunk c has the columns from column_cut[c] to
/// column_cut[c + 1] and touches the rows from row_first[c] to row_last[c] (both ends excluded).
/// A function of the pattern alone.
struct ProductPlan {
    std::vector<index_t> column_cut;
    std::vector<index_t> row_first;
    std::vector<index_t> row_last;

    count_t chunks() const { return static_cast<count_t>(row_first.size()); }
};

/// Cost: O(cols). Worth keeping when one matrix is multiplied often; the functions below make their own
/// otherwise.
ProductPlan plan_products(const Pattern& a);

/// How the functions below run; every member may be left out.
struct ProductOptions {
    const ProductPlan* plan = nullptr;  // of the very pattern
    ParallelFor parallel_for = {};
};

/// Y = op(A) X. A [rows, cols] as stored (one triangle stands for both); X [op cols, nrhs] ldx,
/// Y [op rows, nrhs] ldy, column-major, not overlapping. What was in Y is overwritten.
///
/// Cost: 2 real operations for each stored entry and column of X, 4 where an entry stands for both triangles; complex
/// scalars: 4 times that. A is read once for each four columns of X. Memory: these columns of X, and for each chunk the
/// rows that it touches.
/// The bits are the same whatever parallel_for does.
/// @pre  a is in canonical form (make_sparse), or the matrix of a view that was checked; a plan is of its very pattern;
///       ldx >= op cols, ldy >= op rows where nrhs > 1
/// @throws InvalidArgument  nrhs < 0, or a leading dimension that is too small; OutOfMemory
/// @par Thread safety  any number of calls on one matrix; parallel_for may use several threads.
template <class T>
void multiply(const SparseMatrix<T>& a, Operation op, index_t nrhs, const T* x, count_t ldx, T* y, count_t ldy,
              const ProductOptions& options = {});

/// R = B - op(A) X. B and R [op rows, nrhs] with ldb and ldr; R may be B, and does not overlap X.
/// Cost, preconditions, errors and threads: as multiply().
template <class T>
void residual(const SparseMatrix<T>& a, Operation op, index_t nrhs, const T* x, count_t ldx, const T* b, count_t ldb,
              T* r, count_t ldr, const ProductOptions& options = {});

/// R = B - op(A) X and W = |op(A)| |X| + |B| in one pass over A: the two parts of the componentwise
/// backward error max_i |r_i| / w_i (Oettli & Prager 1964). W [op rows, nrhs] ldw; R may be B.
/// Cost: twice that of multiply(), with one pass over A; all else as there.
template <class T>
void residual_and_weights(const SparseMatrix<T>& a, Operation op, index_t nrhs, const T* x, count_t ldx, const T* b,
                          count_t ldb, T* r, count_t ldr, real_t<T>* w, count_t ldw,
                          const ProductOptions& options = {});

/// Norms of the whole matrix, in double: max_i sum_j |a_ij|, max_j sum_i |a_ij|, max |a_ij|.
/// Cost: one pass over A, O(entries + rows). @throws OutOfMemory
struct MatrixNorms {
    double infinity = 0;
    double one = 0;
    double max = 0;
};
template <class T>
MatrixNorms matrix_norms(const SparseMatrix<T>& a);

/// 64 bits of the representation, in order; the same whatever parallel_for does. Cost: one pass, O(entries + cols).
std::uint64_t hash_pattern(const Pattern& pattern, const ParallelFor& parallel_for = {});

}  // namespace frond
