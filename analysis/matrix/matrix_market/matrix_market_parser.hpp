// SPDX-License-Identifier: BSD-3-Clause
// Banner, size line and entry lines of one Matrix Market file.
#pragma once

#include "../text/number_text.hpp"
#include "../text/text_source.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/matrix_market.hpp"

#include <cmath>
#include <cstring>
#include <string>

namespace frond::detail {

class MatrixMarketParser {
public:
    /// Reads banner and size line.
    MatrixMarketParser(LineCursor lines, const ReadOptions& options);

    MatrixMarketParser(const std::string& path, const ReadOptions& options)
        : MatrixMarketParser(LineCursor(path), options) {}

    const MatrixMarketHeader& header() const { return header_; }

    /// Entries worth reserving: what is promised, but no more than the file's size allows for.
    count_t plausible_entries() const;

    /// As messages name it.
    const std::string& path() const { return lines_.path(); }

    /// Every coordinate entry: sink(row, column, value), counted from 1. Entries above the diagonal
    /// of a stored triangle are refused, except of a Hermitian matrix, where both may be given.
    template <class T, class Sink>
    void for_each_entry(Sink&& sink);

    /// Every value of an array in file order: sink(value).
    template <class T, class Sink>
    void for_each_value(Sink&& sink);

    [[noreturn]] void fail(const std::string& reason, std::string_view text, const std::string& cure) const {
        fail_line(lines_.path(), line_, reason, text, cure);
    }

private:
    template <class Line>
    void for_each_line(Line&& parse);
    template <class T, FileField field>
    T value(const char*& p, const char* line);
    template <FileField field, class T, class Sink>
    void entries(Sink&& sink);
    template <FileField field, class T, class Sink>
    void values(Sink&& sink);
    template <class T>
    void check_field() const;

    template <class R>
    R real(const char*& p, const char* line, const char* what);
    void read_banner();
    void read_size_line();
    void check_size_line(std::string_view text);

    [[noreturn]] void fail_token(const char* what, TextFault fault, const char* line);
    [[noreturn]] void fail_index(count_t row, count_t column, const char* line);
    [[noreturn]] void fail_place(count_t row, count_t column, const char* line);
    [[noreturn]] void fail_too_many(const char* line);
    [[noreturn]] void fail_too_few(count_t found);
    [[noreturn]] void fail_rest(const char* line);
    [[noreturn]] void fail_narrow(double value, const char* line);

    ReadOptions options_;
    LineCursor lines_;
    MatrixMarketHeader header_;
    count_t line_ = 0;
    bool both_triangles_ = false;
};

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
    const bool triangle = header_.symmetry != Symmetry::general;
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
        if (triangle && i <= j) {
            const bool upper = i < j && !both_triangles_;
            const bool diagonal =
                i == j && ((header_.symmetry == Symmetry::skew_symmetric && number != T(0)) ||
                           (header_.symmetry == Symmetry::hermitian && number != T(real_part(number))));
            if (upper || diagonal) fail_place(i, j, line);
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
