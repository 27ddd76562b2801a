// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/matrix/matrix_market.hpp"
#include "frond/matrix/rutherford_boeing.hpp"

#include <complex>
#include <string>
#include <variant>

namespace frond {

using AnyMatrix = std::variant<SparseMatrix<double>, SparseMatrix<std::complex<double>>>;

/// A matrix from a Matrix Market or Rutherford-Boeing (Harwell-Boeing) file, plain or gzip, told
/// apart by content; the file decides whether it is complex. Errors as the readers'.
AnyMatrix read_matrix(const std::string& path, InputReport* report = nullptr,
                      const ReadOptions& options = {});

} // namespace frond
