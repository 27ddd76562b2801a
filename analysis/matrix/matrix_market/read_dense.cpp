// SPDX-License-Identifier: BSD-3-Clause
#include "../canonical_form.hpp"
#include "matrix_market_lines.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "matrix_market_lines.hpp"

#include <fmt/format.h>

#include <new>
#include <utility>

namespace frond {
namespace {

using namespace detail;

constexpr count_t dense_limit = count_t{1} << 28;

/// Values that come in file order, growing as they come; a general array is read in place.
template <class T>
std::vector<T> read_general_array(MatrixMarketParser& parser) {
    std::vector<T> value;
    value.reserve(static_cast<std::size_t>(parser.plausible_entries()));
    parser.for_each_value<T>([&](T x) { value.push_back(x); });
    return value;
}

/// Sets a_ij and, of a stored triangle, a_ji.
template <class T>
void add_entry(DenseMatrix<T>& dense, index_t i, index_t j, T value, Symmetry symmetry) {
    const std::size_t rows = static_cast<std::size_t>(dense.rows);
    dense.value[i + rows * j] += value;
    if (symmetry != Symmetry::general && i != j) dense.value[j + rows * i] += mirrored(value, symmetry);
}

template <class T>
DenseMatrix<T> read_block(MatrixMarketParser& parser) {
    const MatrixMarketHeader& header = parser.header();
    DenseMatrix<T> dense;
    dense.rows = static_cast<index_t>(header.rows);
    dense.cols = static_cast<index_t>(header.cols);
    const bool array = header.format == FileFormat::array;
    if (array && header.symmetry == Symmetry::general) {
        dense.value = read_general_array<T>(parser);
        return dense;
    }
    if (header.rows * header.cols > dense_limit)
        parser.fail(fmt::format("a dense block of {} x {} numbers exceeds {}", header.rows, header.cols, dense_limit),
                    "", "give right-hand sides as an array of general symmetry, in several files");
    dense.value.assign(static_cast<std::size_t>(header.rows * header.cols), T(0));
    if (array) {
        ArrayPosition position(header);
        parser.for_each_value<T>([&](T x) {
            check_hermitian_diagonal(parser, position, x);
            add_entry(dense, position.row(), position.column(), x, header.symmetry);
            position.advance();
        });
        return dense;
    }
    parser.for_each_entry<T>([&](index_t i, index_t j, T x) {
        if (header.symmetry != Symmetry::general && parser.stored() == Triangle::both)
            parser.fail(fmt::format("entry ({}, {}) is in the other triangle than those before it", i, j), "",
                        "store one triangle alone, or both and write general in the banner");
        add_entry(dense, i - 1, j - 1, x, header.symmetry);
    });
    return dense;
}

}  // namespace

template <class T>
DenseMatrix<T> read_dense(const std::string& path, const ReadOptions& options) try {
    MatrixMarketParser parser(path, options);
    return read_block<T>(parser);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

template <class R>
AnyDense<R> read_any_dense(const std::string& path, const ReadOptions& options, MatrixMarketHeader* header) try {
    MatrixMarketParser parser(path, options);
    if (header != nullptr) *header = parser.header();
    if (parser.header().field == FileField::complex) return read_block<std::complex<R>>(parser);
    return read_block<R>(parser);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T) template DenseMatrix<T> read_dense<T>(const std::string&, const ReadOptions&);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

template AnyDense<float> read_any_dense<float>(const std::string&, const ReadOptions&, MatrixMarketHeader*);
template AnyDense<double> read_any_dense<double>(const std::string&, const ReadOptions&, MatrixMarketHeader*);

}  // namespace frond
