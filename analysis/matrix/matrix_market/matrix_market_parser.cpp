// SPDX-License-Identifier: BSD-3-Clause
#include "matrix_market_parser.hpp"

#include "../check_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace frond::detail {
namespace {

constexpr const char* banner_form =
    "%%MatrixMarket matrix coordinate|array real|integer|complex|pattern "
    "general|symmetric|skew-symmetric|hermitian";

std::vector<std::string> lower_words(std::string_view line) {
    std::vector<std::string> words(1);
    for (const char c : line) {
        if (is_blank(c)) {
            if (!words.back().empty()) words.emplace_back();
        } else {
            words.back() += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        }
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

std::optional<FileField> field_named(const std::string& word) {
    if (word == "real" || word == "double") return FileField::real;
    if (word == "integer") return FileField::integer;
    if (word == "complex") return FileField::complex;
    if (word == "pattern") return FileField::pattern;
    return std::nullopt;
}

std::optional<Symmetry> symmetry_named(const std::string& word) {
    if (word == "general") return Symmetry::general;
    if (word == "symmetric") return Symmetry::symmetric;
    if (word == "skew-symmetric") return Symmetry::skew_symmetric;
    if (word == "hermitian") return Symmetry::hermitian;
    return std::nullopt;
}

std::string_view first_line(const char* line) {
    const char* end = line;
    while (*end != '\n') ++end;  // every block ends with one; a zero byte ends nothing
    return {line, static_cast<std::size_t>(end - line)};
}

}  // namespace

MatrixMarketParser::MatrixMarketParser(LineCursor lines, const ReadOptions& options)
    : options_(options), lines_(std::move(lines)) {
    read_banner();
    read_size_line();
}

void MatrixMarketParser::read_banner() {
    std::string_view text;
    if (!lines_.next(text)) throw InvalidMatrix(lines_.path() + ": the file is empty; write it again", lines_.path());
    line_ = 1;
    const std::vector<std::string> words = lower_words(text);
    const std::string form = std::string("the first line must read ") + banner_form;
    if (words.empty() || (words[0] != "%%matrixmarket" && words[0] != "%matrixmarket"))
        fail("no Matrix Market banner", text, form);
    if (words.size() != 5) fail("the banner must have five words", text, form);
    if (words[1] != "matrix") fail("the object '" + words[1] + "' is unknown", text, form);
    if (words[2] != "coordinate" && words[2] != "array") fail("the format '" + words[2] + "' is unknown", text, form);
    const std::optional<FileField> field = field_named(words[3]);
    if (!field) fail("the field '" + words[3] + "' is unknown", text, form);
    const std::optional<Symmetry> symmetry = symmetry_named(words[4]);
    if (!symmetry) fail("the symmetry '" + words[4] + "' is unknown", text, form);
    header_.format = words[2] == "array" ? FileFormat::array : FileFormat::coordinate;
    header_.field = *field;
    header_.symmetry = *symmetry;
    if (header_.field == FileField::pattern) {
        if (header_.format == FileFormat::array)
            fail("an array cannot be a pattern", text, "write coordinate or another field");
        if (header_.symmetry == Symmetry::hermitian || header_.symmetry == Symmetry::skew_symmetric)
            fail("a pattern cannot be " + words[4], text, "write general or symmetric");
    }
    both_triangles_ = header_.symmetry == Symmetry::hermitian && header_.field == FileField::complex &&
                      header_.format == FileFormat::coordinate;
    if (header_.symmetry == Symmetry::hermitian && header_.field != FileField::complex)
        header_.symmetry = Symmetry::symmetric;
}

void MatrixMarketParser::read_size_line() {
    const bool array = header_.format == FileFormat::array;
    const std::size_t wanted = array ? 2 : 3;
    const std::string form = array ? "write ROWS COLUMNS" : "write ROWS COLUMNS ENTRIES";
    std::string_view text;
    const char* p = nullptr;
    std::string line;
    do {
        line_ = lines_.line();
        if (!lines_.next(text)) fail("the file ends before the size line", "", form);
        line.assign(text).push_back('\n');
        p = skip_blanks(line.c_str());
    } while (*p == '\n' || *p == '%');
    line_ = lines_.line();
    std::array<count_t, 3> sizes{};
    for (std::size_t k = 0; k < wanted; ++k) {
        constexpr std::array<const char*, 3> names{"number of rows", "number of columns", "number of entries"};
        const TextFault fault = parse_index(p, sizes[k]);
        // Up to 2^63 - 1 entries can be promised; they will not come.
        if (fault == TextFault::out_of_range && k == 2 && parse_integer(p, sizes[k]) == TextFault::none) continue;
        if (fault != TextFault::none) fail(fmt::format("the {} {}", names[k], describe(fault)), text, form);
        p = skip_blanks(p);
    }
    if (*skip_blanks(p) != '\n') fail(fmt::format("the size line must have {} numbers", wanted), text, form);
    header_.rows = sizes[0];
    header_.cols = sizes[1];
    header_.entries = sizes[2];
    check_size_line(text);
}

void MatrixMarketParser::check_size_line(std::string_view text) {
    constexpr count_t limit = std::numeric_limits<index_t>::max();
    const auto& [format, field, symmetry, rows, cols, entries] = header_;
    if (rows < 0 || cols < 0 || entries < 0) fail("a size is negative", text, "correct the size line");
    if (rows > limit || cols > limit)
        fail(fmt::format("more than {} rows or columns", limit), text, "split the problem");
    if (symmetry != Symmetry::general && rows != cols)
        fail(fmt::format("a matrix of {} rows and {} columns has no symmetry", rows, cols), text,
             "write general in the banner");
    if (format == FileFormat::coordinate) return;
    const count_t triangle = rows * (rows + 1) / 2;
    header_.entries = symmetry == Symmetry::general          ? rows * cols
                      : symmetry == Symmetry::skew_symmetric ? triangle - rows
                                                             : triangle;
}

count_t MatrixMarketParser::plausible_entries() const {
    // Shortest lines: "1 1\n", "1 1 1\n", "1 1 1 1\n", "1\n"; gzip seldom gains a factor above 16
    // on them.
    const count_t line_bytes = header_.format == FileFormat::array   ? 2
                               : header_.field == FileField::pattern ? 4
                               : header_.field == FileField::complex ? 8
                                                                     : 6;
    const count_t bytes = lines_.source().file_bytes() * (lines_.source().compressed() ? 16 : 1);
    return std::min(header_.entries, bytes / line_bytes + 1);
}

void MatrixMarketParser::fail_token(const char* what, TextFault fault, const char* line) {
    const char* cure = fault == TextFault::missing      ? "complete the line or correct the banner's field"
                       : fault == TextFault::not_finite ? "values must be finite"
                                                        : "write a number that fits the banner's field";
    fail(fmt::format("the {} {}", what, describe(fault)), first_line(line), cure);
}

void MatrixMarketParser::fail_index(count_t row, count_t column, const char* line) {
    const bool bad_row = row < 1 || row > header_.rows;
    const char* const what = bad_row ? "row" : "column";
    const count_t index = bad_row ? row : column;
    const count_t size = bad_row ? header_.rows : header_.cols;
    if (index < 1)
        fail(fmt::format("{} index {} is below 1", what, index), first_line(line),
             "indices count from 1; add 1 to those of a zero-based file");
    fail(fmt::format("{} index {} exceeds the {} {}s of the size line", what, index, size, what), first_line(line),
         "correct the index or the size line");
}

void MatrixMarketParser::fail_diagonal(count_t row, const char* line) {
    fail(fmt::format("diagonal entry ({0}, {0}) of a {1} matrix must be {2}", row, symmetry_name(header_.symmetry),
                     header_.symmetry == Symmetry::hermitian ? "real" : "zero"),
         first_line(line), "correct it, or write general in the banner and give both triangles");
}

void MatrixMarketParser::fail_triangle(count_t row, count_t column, const char* line) {
    const bool upper = row < column;
    fail(fmt::format("entry ({}, {}) lies {} the diagonal of a {} matrix, and that of line {} {} it", row, column,
                     upper ? "above" : "below", symmetry_name(header_.symmetry), upper ? first_lower_ : first_upper_,
                     upper ? "below" : "above"),
         first_line(line), "store one triangle alone, or both and write general in the banner");
}

void MatrixMarketParser::fail_too_many(const char* line) {
    fail(fmt::format("more than the {} entries promised", header_.entries), first_line(line), "correct the size line");
}

void MatrixMarketParser::fail_too_few(count_t found) {
    fail(fmt::format("the file ends after {} of {} entries", found, header_.entries), "",
         "complete the file or correct the size line");
}

void MatrixMarketParser::fail_rest(const char* line) {
    fail("more numbers in the line than the banner's field has", first_line(line),
         "correct the line or the banner's field");
}

void MatrixMarketParser::fail_narrow(double value, const char* line) {
    fail(fmt::format("the value {} is larger than single precision can hold", value), first_line(line),
         "read it in double precision");
}

}  // namespace frond::detail
