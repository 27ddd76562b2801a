// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "frond/matrix/matrix_file.hpp"

namespace frond::bench {

/// The matrix of a file or of generate:KIND:SIZE. @throws InvalidArgument, InvalidMatrix
AnyMatrix load_matrix(const std::string& name);

/// Symmetric or Hermitian with a real positive diagonal: worth trying L L^H.
template <class T>
bool may_be_definite(const SparseMatrix<T>& a);

}  // namespace frond::bench
