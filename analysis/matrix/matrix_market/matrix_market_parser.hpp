// SPDX-License-Identifier: BSD-3-Clause
// Banner, size line and entry lines of one Matrix Market file.
#pragma once

#include "../text/number_text.hpp"
#include "../text/text_source.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/matrix_market.hpp"

#include <cmath>
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

    /// The path as messages name it.
    const std::string& path() const { return lines_.path(); }

    /// Every coordinate entry: sink(row, column, value), counted from 1. Of a symmetric or skew-symmetric matrix only one
    /// triangle may be given, of a Hermitian one both.
    template <class T, class Sink>
    void for_each_entry(Sink&& sink);

    /// Every value of an array in file order: sink(value).
    template <class T, class Sink>
    void for_each_value(Sink&& sink);

    /// Which triangles of a symmetric, Hermitian or skew-symmetric matrix the entries so far are in.
    Triangle stored() const {
        return first_upper_ == 0 ? Triangle::lower : first_lower_ == 0 ? Triangle::upper : Triangle::both;
    }

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
    [[noreturn]] void fail_diagonal(count_t row, const char* line);
    [[noreturn]] void fail_triangle(count_t row, count_t column, const char* line);
    [[noreturn]] void fail_too_many(const char* line);
    [[noreturn]] void fail_too_few(count_t found);
    [[noreturn]] void fail_rest(const char* line);
    [[noreturn]] void fail_narrow(double value, const char* line);

    ReadOptions options_;
    LineCursor lines_;
    MatrixMarketHeader header_;
    count_t line_ = 0;
    bool both_triangles_ = false;  // may be given
    count_t first_upper_ = 0, first_lower_ = 0;  // lines of entries off the diagonal of a symmetric matrix; 0: none yet
};

}  // namespace frond::detail
