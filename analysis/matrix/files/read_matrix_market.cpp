// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "entry_list.hpp"
#include "frond/base/instantiate.hpp"
#include "matrix_market_parser.hpp"

namespace frond {
namespace {

using namespace detail;

/// Rows and columns of the k-th value of an array's stored triangle.
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
void read_array(MatrixMarketParser& parser, EntryList<T>& list) {
    ArrayPosition position(parser.header());
    parser.for_each_value<T>([&](T value) {
        const bool imaginary_diagonal = parser.header().symmetry == Symmetry::hermitian &&
                                        position.row() == position.column() && value != T(real_part(value));
        if (imaginary_diagonal)
            parser.fail(fmt::format("diagonal entry ({0}, {0}) of a Hermitian matrix must be real",
                                    position.row() + 1),
                        "", "correct it or write general in the banner");
        if (value != T(0)) list.push(position.row(), position.column(), value);
        position.advance();
    });
}

}  // namespace

MatrixMarketHeader read_matrix_market_header(const std::string& path) {
    return MatrixMarketParser(path, {}).header();
}

template <class T>
SparseMatrix<T> read_matrix_market(const std::string& path, InputReport* report, const ReadOptions& options) {
    MatrixMarketParser parser(path, options);
    const MatrixMarketHeader& header = parser.header();
    EntryList<T> list;
    bool upper = false;
    if (header.format == FileFormat::array) {
        read_array(parser, list);
    } else {
        list.reserve(parser.plausible_entries());
        parser.for_each_entry<T>([&](index_t i, index_t j, T value) {
            upper = upper || i < j;
            list.push(i, j, value);
        });
    }
    list.symmetry = header.symmetry;
    list.stored = upper ? Triangle::both : Triangle::lower;
    return make_canonical(list, header.rows, header.cols, path, report, options);
}

#define FROND_INSTANTIATE(T) \
    template SparseMatrix<T> read_matrix_market<T>(const std::string&, InputReport*, const ReadOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
