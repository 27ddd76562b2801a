// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/matrix/matrix_market.hpp"
#include "frond/matrix/rutherford_boeing.hpp"

#include <complex>
#include <string>
#include <variant>

namespace frond {

using AnyMatrix = std::variant<SparseMatrix<double>, SparseMatrix<std::complex<double>>>;

/// A matrix from a Matrix Market or Rutherford-Boeing (Harwell-Boeing) file, told apart by content;
/// the file decides whether it is complex. Errors as the readers'.
///
/// This and every other reader work as follows. The file is plain or compressed by gzip, and by xz or zstd where
/// the build found liblzma or libzstd, told by its first bytes. It is read once, from the first byte to
/// the last, so a pipe will do; "-" is standard input. A byte order mark of UTF-8 is left out.
AnyMatrix read_matrix(const std::string& path, InputReport* report = nullptr, const ReadOptions& options = {});

}  // namespace frond
