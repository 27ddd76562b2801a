// SPDX-License-Identifier: BSD-3-Clause
// The analysis of a dense matrix, which is a tree of one front on tiles: no graph, no order, no map of entries.
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/matrix/dense_matrix_view.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

namespace frond {

/// The larger part of a complex number: of the size of |x| up to sqrt 2, and without its square root.
template <class T>
double size_of(T x) {
    if constexpr (is_complex<T>)
        return std::max(std::abs(static_cast<double>(x.real())), std::abs(static_cast<double>(x.imag())));
    else
        return std::abs(static_cast<double>(x));
}

/// max_j r_i |a_ij| c_j of each row and max_i of each column; one triangle that stands for both fills `row` alone.
struct DenseMaxima {
    std::vector<double> row, column;  // [n]

    double largest() const;
};

/// One pass over what is stored; r and c may be empty. O(n) memory a chunk.
/// @throws InvalidMatrix  names an entry that is NaN or Inf, scaled or not
template <class T>
DenseMaxima dense_maxima(const DenseMatrixView<T>& a, const Scaling& scaling, const ParallelFor& parallel_for);

/// An entry of Dr A Dc. One factor after the other: r c alone may overflow.
template <class T>
T scaled_entry(T value, double r, double c) {
    using Wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;
    return T(Wide(value) * r * c);
}

/// dense_maxima of a matrix that is scaled so, wherever it is.
using MaximaOf = std::function<DenseMaxima(const Scaling&)>;

/// Rows to a largest entry near 1, then columns; one triangle: a row and its column alike, in a few sweeps (Ruiz 2001).
/// Powers of two; rows of zeros scale to 1. largest: of the scaled matrix.
Scaling equilibrate_dense(count_t order, Symmetry symmetry, const MaximaOf& maxima_of, double& largest);

/// The diagonal of A in the canonical form, of the entries a_jj as stored.
template <class T>
SparseMatrix<T> canonical_diagonal(std::vector<T> stored, Symmetry symmetry);
template <class T>
SparseMatrix<T> diagonal_of(const DenseMatrixView<T>& a);

/// Square roots of the diagonal; empty: an entry of it is not positive, so that A is not definite.
template <class T>
std::vector<double> roots_of_diagonal(const SparseMatrix<T>& diagonal);
/// No 2 x 2 minor is negative.                                                    root [n], of roots_of_diagonal
template <class T>
bool may_be_definite(const DenseMatrixView<T>& a, const std::vector<double>& root);

/// What the analysis of a dense matrix needs of it.
struct DenseFacts {
    count_t order = 0;
    Symmetry symmetry = Symmetry::general;
    bool is_complex = false;
    std::function<bool()> may_be_definite;  // asked of symmetric and Hermitian matrices where `automatic` chooses
    index_t block =
        0;  // in whose multiples ranks have A; tiles are cut so where that is half to twice their size by rule
};

/// A tree of one front with all columns fully summed. `automatic` takes L L^H where the diagonal is positive and no
/// |a_ij|^2 >= a_ii a_jj says that A is not definite, else as for sparse matrices. Analysis::entries is 0. O(n).
/// @throws InvalidArgument  options that a dense matrix has no use for: matching, an order
/// @throws InvalidMatrix    a kind that the symmetry rules out
std::shared_ptr<const Analysis> analyze_dense(const DenseFacts& a, const AnalysisOptions& options);

/// Rows of column j that are read.
template <class T>
count_t first_row(const DenseMatrixView<T>& a, count_t j) {
    return a.symmetry == Symmetry::general || a.reads_upper() ? 0 : j;
}
template <class T>
count_t end_row(const DenseMatrixView<T>& a, count_t j) {
    return a.reads_upper() ? j + 1 : a.order;
}

}  // namespace frond
