// SPDX-License-Identifier: BSD-3-Clause
// Rutherford-Boeing files (Duff, Grimes & Lewis 1997) and the older Harwell-Boeing ones, plain or
// compressed, or a pipe: see matrix_file.hpp.
#pragma once

#include "frond/matrix/matrix_market.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <string>

namespace frond {

/// What the header lines say.
struct RutherfordBoeingHeader {
    std::string title;
    std::string key;
    std::string type;  // three letters in lower case, e.g. "rsa"
    FileField field = FileField::real;
    Symmetry symmetry = Symmetry::general;
    count_t rows = 0;
    count_t cols = 0;
    count_t entries = 0;
};

/// Header lines alone; of a pipe they are then gone. Errors as read_rutherford_boeing.
RutherfordBoeingHeader read_rutherford_boeing_header(const std::string& path);

/// Assembled matrices of the types [ricp][suhzr]a; a right-hand side in the file is not read.
/// Throws InvalidMatrix with file, line, text and cure; elemental matrices (type ..e) are refused.
template <class T>
SparseMatrix<T> read_rutherford_boeing(const std::string& path, InputReport* report = nullptr,
                                       const ReadOptions& options = {});

}  // namespace frond
