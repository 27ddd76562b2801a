// SPDX-License-Identifier: BSD-3-Clause
// Duff, Grimes & Lewis 1997 (Rutherford-Boeing) and 1992 (Harwell-Boeing, section 2): four header
// lines, a fifth when right-hand sides follow, then pointers, rows and values by the formats of
// line 4.
#include "rutherford_boeing_parser.hpp"

#include "frond/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace frond::detail {
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// Numbers in columns of 14, or apart by blanks where a writer did not keep to the columns.
bool parse_numbers(std::string_view line, bool fixed, std::vector<count_t>& numbers) {
    constexpr std::size_t width = 14;
    numbers.clear();
    while (!trimmed(line).empty()) {
        std::string_view token = line.substr(0, width);
        if (!fixed) {
            line = trimmed(line);
            token = line.substr(0, line.find_first_of(" \t"));
        }
        line.remove_prefix(std::min(line.size(), token.size()));
        if (fixed && trimmed(token).empty() && !numbers.empty()) continue;
        count_t number = 0;
        if (parse_fortran_integer(token, number) != TextFault::none) return false;
        numbers.push_back(number);
    }
    return true;
}

}  // namespace

RutherfordBoeingParser::RutherfordBoeingParser(LineCursor lines) : lines_(std::move(lines)) {
    const std::string first = next_header_line("title");
    header_.title = trimmed(columns_of(first, 0, 72));
    header_.key = trimmed(columns_of(first, 72, 8));
    read_counts();
    read_type();
    read_formats();
    if (rhs_lines_ > 0) next_header_line("right-hand sides");
}

std::string RutherfordBoeingParser::next_header_line(const char* what) {
    std::string_view line;
    if (!lines_.next(line))
        fail(fmt::format("the file ends before the header line of the {}", what), "", "complete it");
    return std::string(line);
}

std::vector<count_t> RutherfordBoeingParser::header_numbers(const std::string& line, std::size_t from,
                                                            std::size_t least) {
    std::vector<count_t> numbers;
    const std::string_view text = columns_of(line, from, std::string::npos);
    const bool good = (parse_numbers(text, true, numbers) && numbers.size() >= least) ||
                      (parse_numbers(text, false, numbers) && numbers.size() >= least);
    if (!good)
        fail(fmt::format("header line {} must have at least {} whole numbers in columns of 14", lines_.line(), least),
             line, "correct the header");
    if (std::any_of(numbers.begin(), numbers.end(), [](count_t number) { return number < 0; }))
        fail("a count of the header is negative", line, "correct the header");
    return numbers;
}

void RutherfordBoeingParser::read_counts() {
    std::vector<count_t> numbers = header_numbers(next_header_line("line counts"), 0, 3);
    numbers.resize(std::max<std::size_t>(numbers.size(), 5), 0);
    value_lines_ = numbers[3];
    rhs_lines_ = numbers[4];
}

void RutherfordBoeingParser::read_type() {
    const std::string line = next_header_line("type and sizes");
    set_type(line);
    const std::vector<count_t> numbers = header_numbers(line, 3, 3);
    constexpr count_t limit = std::numeric_limits<index_t>::max();
    header_.rows = numbers[0];
    header_.cols = numbers[1];
    header_.entries = numbers[2];
    if (header_.rows > limit || header_.cols > limit)
        fail(fmt::format("more than {} rows or columns", limit), line, "split the problem");
    if (header_.symmetry != Symmetry::general && header_.rows != header_.cols)
        fail(fmt::format("a matrix of {} rows and {} columns has no symmetry", header_.rows, header_.cols), line,
             "write u or r as the type's second letter");
}

void RutherfordBoeingParser::set_type(const std::string& line) {
    for (const char c : columns_of(line, 0, 3))
        header_.type += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    const auto is_one_of = [&](std::size_t at, std::string_view letters) {
        return at < header_.type.size() && letters.find(header_.type[at]) != std::string_view::npos;
    };
    if (!is_one_of(0, "rcipq") || !is_one_of(1, "suhzr") || !is_one_of(2, "ae"))
        fail(fmt::format("'{}' is not a matrix type", header_.type), line,
             "the type is one of r c i p, one of s u h z r, then a");
    if (header_.type[2] == 'e')
        fail("the matrix is stored by unassembled elements", line, "assemble it first and store it with type ..a");
    if (header_.type[0] == 'q')
        fail("the values lie in another file", line, "write them into this one, or the type p for the pattern alone");
    const char field = header_.type[0];
    header_.field = field == 'r'   ? FileField::real
                    : field == 'c' ? FileField::complex
                    : field == 'i' ? FileField::integer
                                   : FileField::pattern;
    const char symmetry = header_.type[1];
    const bool complex = field == 'c';
    header_.symmetry = symmetry == 's'   ? Symmetry::symmetric
                       : symmetry == 'h' ? (complex ? Symmetry::hermitian : Symmetry::symmetric)
                       : symmetry == 'z' ? Symmetry::skew_symmetric
                                         : Symmetry::general;
    if (field == 'p' && symmetry == 'z') fail("a pattern cannot be skew-symmetric", line, "write the type psa or pua");
}

void RutherfordBoeingParser::read_formats() {
    const std::string line = next_header_line("formats");
    std::string_view text = line;
    const std::size_t wanted = header_.field == FileField::pattern ? 2 : 3;
    for (std::size_t k = 0; k < wanted; ++k) {
        const std::size_t begin = text.find('(');
        std::size_t end = begin;
        int depth = 0;
        for (; end < text.size(); ++end) {
            depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
            if (depth == 0) break;
        }
        if (end >= text.size())
            fail(fmt::format("header line 4 must have {} Fortran formats", wanted), line, "correct the header");
        const std::string_view format = text.substr(begin, end + 1 - begin);
        std::optional<std::vector<FortranField>> fields = parse_fortran_format(format);
        if (!fields) fail(fmt::format("the Fortran format {} is not understood", format), line, "use e.g. (8I10)");
        const bool whole = std::all_of(fields->begin(), fields->end(), [](auto f) { return f.letter == 'i'; });
        if (k < 2 && !whole)
            fail(fmt::format("pointers and rows need an I format, not {}", format), line, "correct the header");
        formats_[k] = std::move(*fields);
        text.remove_prefix(end + 1);
    }
    if (wanted == 3 && value_lines_ == 0 && header_.entries > 0)
        fail("the file has no values", line, "write the type p for a pattern, or store the values");
}

}  // namespace frond::detail
