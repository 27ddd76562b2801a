// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "matrix_market_parser.hpp"

#include <fmt/format.h>

namespace frond::detail {

/// Row and column of the next value of an array file: columns in turn, of a symmetric array the
/// lower triangle, of a skew-symmetric one without its diagonal.
class ArrayPosition {
public:
    explicit ArrayPosition(const MatrixMarketHeader& header)
        : rows_(static_cast<index_t>(header.rows)),
          skip_diagonal_(header.symmetry == Symmetry::skew_symmetric),
          triangle_(header.symmetry != Symmetry::general),
          row_(first_row(0)) {}

    index_t row() const { return row_; }

    index_t column() const { return column_; }

    void advance() {
        if (++row_ < rows_) return;
        row_ = first_row(++column_);
    }

private:
    index_t first_row(index_t column) const { return triangle_ ? column + (skip_diagonal_ ? 1 : 0) : 0; }

    index_t rows_;
    bool skip_diagonal_;
    bool triangle_;
    index_t column_ = 0;
    index_t row_;
};

template <class T>
void check_hermitian_diagonal(const MatrixMarketParser& parser, const ArrayPosition& position, T value) {
    if (parser.header().symmetry != Symmetry::hermitian || position.row() != position.column()) return;
    if (value == T(real_part(value))) return;
    parser.fail(fmt::format("diagonal entry ({0}, {0}) of a Hermitian matrix must be real", position.row() + 1), "",
                "correct it or write general in the banner");
}

}  // namespace frond::detail
