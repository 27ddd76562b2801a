// SPDX-License-Identifier: BSD-3-Clause
// Numbers of files and generators, which are double, in the precision asked for.
#pragma once

#include "frond/matrix/matrix_market.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <string>

namespace frond::cli {

/// A in single precision. Entries a_ij below the smallest normal number become 0 or lose digits;
/// where that is rounding against the largest entries s_i, s_j of their row and column, |a_ij| <=
/// eps sqrt(s_i s_j), they are counted in `underflows`.
/// @throws InvalidMatrix  naming file and entry that is too large, or too small to be rounding
SparseMatrix<float> narrowed(SparseMatrix<double>&& a, const std::string& name, count_t& underflows);
SparseMatrix<std::complex<float>> narrowed(SparseMatrix<std::complex<double>>&& a, const std::string& name,
                                           count_t& underflows);

/// B in single precision, rounding against the largest entry of its column.
/// @throws InvalidMatrix  as above
DenseMatrix<float> narrowed(DenseMatrix<double>&& b, const std::string& name);
DenseMatrix<std::complex<float>> narrowed(DenseMatrix<std::complex<double>>&& b, const std::string& name);

}  // namespace frond::cli
