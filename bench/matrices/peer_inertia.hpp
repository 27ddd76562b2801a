// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "frond/matrix/sparse_matrix.hpp"

namespace frond::bench {

/// Eigenvalues of A below zero as L D L^T of MUMPS counts them. Empty: A is general, this build has no
/// MUMPS, or MUMPS failed.
std::optional<count_t> negative_by_mumps(const SparseMatrix<double>& a);

}  // namespace frond::bench
