// SPDX-License-Identifier: BSD-3-Clause
// What the lines behind the size line hold: bodies of MatrixMarketParser for a scalar and what takes the values.
#pragma once

#include "../text/number_text.hpp"
#include "frond/base/error.hpp"
#include "matrix_market_parser.hpp"

#include <cstring>
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
                "correct it, or write general in the banner and give both triangles");
}

/// parse(p): one entry line from its first character on; leaves p on the line's '\n'.
template <class Line>
void MatrixMarketParser::for_each_line(Line&& parse) {
    count_t found = 0;
    line_ = lines_.line();
    for (std::string_view block = lines_.next_block(); !block.empty(); block = lines_.next_block()) {
        const char* p = block.data();
        const char* const end = p + block.size();
        while (p < end) {
            ++line_;
            const char* const line = p;
            p = skip_blanks(p);
            if (*p == '%') {
                p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
            } else if (*p != '\n') {
                if (found++ == header_.entries) fail_too_many(line);
                p = skip_blanks(parse(p, line));
                if (*p != '\n') fail_rest(line);
            }
            ++p;
        }
    }
    if (found < header_.entries) fail_too_few(found);
}

template <class T, FileField field>
T MatrixMarketParser::value(const char*& p, const char* line) {
    if constexpr (field == FileField::pattern) {
        return T(1);
    } else if constexpr (field == FileField::integer) {
        std::int64_t number = 0;
        p = skip_blanks(p);
        const TextFault fault = parse_integer(p, number);
        if (fault != TextFault::none) fail_token("value", fault, line);
        return T(static_cast<real_t<T>>(number));
    } else {
        using R = real_t<T>;
        const R re = real<R>(p, line, field == FileField::complex ? "real part" : "value");
        const R im = field == FileField::complex ? real<R>(p, line, "imaginary part") : R(0);
        if constexpr (is_complex<T>)
            return T(re, im);
        else
            return re;
    }
}

template <class R>
R MatrixMarketParser::real(const char*& p, const char* line, const char* what) {
    double number = 0;
    p = skip_blanks(p);
    const char* const token = p;
    const TextFault fault = parse_real(p, number);
    if (fault != TextFault::none && (fault != TextFault::not_finite || options_.require_finite))
        fail_token(what, fault, line);
    R rounded = 0;
    if (!round_to_float(number, token, rounded)) fail_narrow(number, line);
    return rounded;
}

template <FileField field, class T, class Sink>
void MatrixMarketParser::entries(Sink&& sink) {
    const bool symmetric = header_.symmetry != Symmetry::general;
    for_each_line([&](const char* p, const char* line) {
        count_t i = 0;
        count_t j = 0;
        TextFault fault = parse_index(p, i);
        if (fault != TextFault::none) fail_token("row index", fault, line);
        p = skip_blanks(p);
        fault = parse_index(p, j);
        if (fault != TextFault::none) fail_token("column index", fault, line);
        if (i < 1 || i > header_.rows || j < 1 || j > header_.cols) fail_index(i, j, line);
        const T number = value<T, field>(p, line);
        if (symmetric && i == j) {
            if ((header_.symmetry == Symmetry::skew_symmetric && number != T(0)) ||
                (header_.symmetry == Symmetry::hermitian && number != T(real_part(number))))
                fail_diagonal(i, line);
        } else if (symmetric) {
            count_t& first = i < j ? first_upper_ : first_lower_;
            if (first == 0) first = line_;
            if (first_upper_ > 0 && first_lower_ > 0 && !both_triangles_) fail_triangle(i, j, line);
        }
        sink(static_cast<index_t>(i), static_cast<index_t>(j), number);
        return p;
    });
}

template <FileField field, class T, class Sink>
void MatrixMarketParser::values(Sink&& sink) {
    for_each_line([&](const char* p, const char* line) {
        sink(value<T, field>(p, line));
        return p;
    });
}

template <class T>
void MatrixMarketParser::check_field() const {
    if (!is_complex<T> && header_.field == FileField::complex)
        throw InvalidMatrix(lines_.path() +
                                ": the file holds a complex matrix, which a real scalar cannot; "
                                "read it into std::complex",
                            lines_.path(), 1);
}

template <class T, class Sink>
void MatrixMarketParser::for_each_entry(Sink&& sink) {
    check_field<T>();
    switch (header_.field) {
        case FileField::real:
            return entries<FileField::real, T>(sink);
        case FileField::integer:
            return entries<FileField::integer, T>(sink);
        case FileField::pattern:
            return entries<FileField::pattern, T>(sink);
        case FileField::complex:
            return entries<FileField::complex, T>(sink);
    }
}

template <class T, class Sink>
void MatrixMarketParser::for_each_value(Sink&& sink) {
    check_field<T>();
    switch (header_.field) {
        case FileField::integer:
            return values<FileField::integer, T>(sink);
        case FileField::complex:
            return values<FileField::complex, T>(sink);
        default:
            return values<FileField::real, T>(sink);
    }
}

}  // namespace frond::detail
