// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/matrix/matrix_market.hpp"

namespace frond::detail {

class MatrixMarketParser;
class RutherfordBoeingParser;

/// The matrix behind a header that was read: a pipe cannot be opened again. Errors as the readers'.
template <class T>
SparseMatrix<T> read_from_parser(MatrixMarketParser& parser, InputReport* report, const ReadOptions& options);
template <class T>
SparseMatrix<T> read_from_parser(RutherfordBoeingParser& parser, InputReport* report, const ReadOptions& options);

}  // namespace frond::detail
