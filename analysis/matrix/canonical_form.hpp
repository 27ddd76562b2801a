// SPDX-License-Identifier: BSD-3-Clause
// Makes canonical columns from columns in any order.
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

namespace frond::detail {

/// Adds neighbouring entries of equal row in sorted columns, in their order; returns how many were merged away. The same
/// for any number of threads.
template <class T>
count_t sum_duplicates(SparseMatrix<T>& a, index_t threads);

/// Brings both triangles to the form that a.symmetry asks for: the lower one of a symmetric or
/// Hermitian matrix, all of a skew-symmetric one (then general). Throws InvalidMatrix for a pair
/// that does not agree; base is added to the numbers it names.
template <class T>
void keep_lower(SparseMatrix<T>& a, count_t base, index_t threads);

/// Throws InvalidMatrix for a non-real Hermitian or nonzero skew-symmetric diagonal.
template <class T>
void check_diagonal(const SparseMatrix<T>& a, count_t base);

/// Both triangles from the stored lower one, mirrored by the rule of `symmetry`.
template <class T>
SparseMatrix<T> mirror_lower(const SparseMatrix<T>& a, Symmetry symmetry);

}  // namespace frond::detail
