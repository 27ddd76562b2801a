// SPDX-License-Identifier: BSD-3-Clause
#include "../entry_list.hpp"
#include "matrix_market_lines.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "matrix_market_lines.hpp"

#include <new>

namespace frond {
namespace {

using namespace detail;

template <class T>
void read_array(MatrixMarketParser& parser, EntryList<T>& list) {
    ArrayPosition position(parser.header());
    parser.for_each_value<T>([&](T value) {
        check_hermitian_diagonal(parser, position, value);
        if (value != T(0)) list.push(position.row() + 1, position.column() + 1, value);
        position.advance();
    });
}

}  // namespace

MatrixMarketHeader read_matrix_market_header(const std::string& path) try {
    return MatrixMarketParser(path, {}).header();
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

template <class T>
SparseMatrix<T> detail::read_from_parser(MatrixMarketParser& parser, InputReport* report, const ReadOptions& options) {
    const MatrixMarketHeader& header = parser.header();
    EntryList<T> list;
    if (header.format == FileFormat::array) {
        read_array(parser, list);
    } else {
        list.reserve(parser.plausible_entries());
        parser.for_each_entry<T>([&](index_t i, index_t j, T value) { list.push(i, j, value); });
    }
    list.symmetry = header.symmetry;
    list.stored = parser.stored();
    return make_canonical(list, header.rows, header.cols, parser.path(), report, options);
}

template <class T>
SparseMatrix<T> read_matrix_market(const std::string& path, InputReport* report, const ReadOptions& options) try {
    MatrixMarketParser parser(path, options);
    return read_from_parser<T>(parser, report, options);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T)                                                                                     \
    template SparseMatrix<T> detail::read_from_parser<T>(MatrixMarketParser&, InputReport*, const ReadOptions&); \
    template SparseMatrix<T> read_matrix_market<T>(const std::string&, InputReport*, const ReadOptions&);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
