// SPDX-License-Identifier: BSD-3-Clause
// The analysis of a dense matrix, which is a tree of one front on tiles: no graph, no order, no map of entries.
#pragma once

#include <memory>
#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/matrix/dense_matrix_view.hpp"

namespace frond {

/// max_j r_i |a_ij| c_j of each row and max_i of each column; one triangle that stands for both fills `row` alone.
struct DenseMaxima {
    std::vector<double> row, column;  // [n]

    double largest() const;
};

/// One pass over what is stored; r and c may be empty. O(n) memory a chunk.
/// @throws InvalidMatrix  names an entry that is NaN or Inf, scaled or not
template <class T>
DenseMaxima dense_maxima(const DenseMatrixView<T>& a, const Scaling& scaling, const ParallelFor& parallel_for);

/// Rows to a largest entry near 1, then columns; one triangle: a row and its column alike, in a few sweeps (Ruiz 2001).
/// Powers of two; rows of zeros scale to 1. largest: of the scaled matrix.
template <class T>
Scaling equilibrate_dense(const DenseMatrixView<T>& a, const ParallelFor& parallel_for, double& largest);

/// The diagonal of A in the canonical form.
template <class T>
SparseMatrix<T> diagonal_of(const DenseMatrixView<T>& a);

/// A tree of one front with all columns fully summed. `automatic` takes L L^H where the diagonal is positive and no
/// |a_ij|^2 >= a_ii a_jj says that A is not definite, else as for sparse matrices. Analysis::entries is 0.
/// O(n^2) for `automatic` of a symmetric matrix, else O(n).
/// @pre check_dense_matrix(a)
/// @throws InvalidArgument  options that a dense matrix has no use for: matching, an order
/// @throws InvalidMatrix    a kind that the symmetry rules out
template <class T>
std::shared_ptr<const Analysis> analyze_dense(const DenseMatrixView<T>& a, const AnalysisOptions& options);

}  // namespace frond
