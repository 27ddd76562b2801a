// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../text/number_text.hpp"
#include "../text/text_source.hpp"
#include "frond/matrix/rutherford_boeing.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace frond::detail {

/// One number of a record: its columns and, for real fields, digits and scale.
struct FortranField {
    int begin = 0;
    int width = 0;
    char letter = 'i';  // i, e, d, f, g
    int decimals = 0;  // d of Ew.d: digits behind an implied decimal point
    int scale = 0;  // k of kP: a number without exponent is divided by 10^k
};

/// The fields of one line by a Fortran format such as (16I5), (1P,3E26.18E3), (2(I5,1X),I6). Empty
/// optional when text is not such a format. A line that holds fewer numbers than the format ends
/// the list early.
std::optional<std::vector<FortranField>> parse_fortran_format(std::string_view text);

/// Whole number in a fixed-width field; blanks around it are ignored.
TextFault parse_fortran_integer(std::string_view field, count_t& value);

/// Real number in a fixed-width field: exponent letter e, d or q, or none ("1.5-103"); blanks are
/// ignored. A nonzero number without decimal point where the format implies one is not_a_number:
/// Fortran would scale it, other programs would not.
TextFault parse_fortran_real(std::string_view field, const FortranField& format, double& value);

inline std::string_view columns_of(std::string_view line, std::size_t from, std::size_t width) {
    return from < line.size() ? line.substr(from, width) : std::string_view();
}

/// Header and number sections of one Rutherford-Boeing or Harwell-Boeing file.
class RutherfordBoeingParser {
public:
    explicit RutherfordBoeingParser(LineCursor lines);

    /// The path as messages name it.
    const std::string& path() const { return lines_.path(); }

    const RutherfordBoeingHeader& header() const { return header_; }

    /// Column pointers, counted from 0: starts at 0, never decreases, ends at entries.
    std::vector<count_t> pointers();
    /// Row numbers, counted from 1 and within the rows.
    std::vector<index_t> rows();
    /// The values as they stand in the file, two for each complex entry.
    std::vector<double> values(const ReadOptions& options);

    [[noreturn]] void fail(const std::string& reason, std::string_view text, const std::string& cure) const {
        fail_line(lines_.path(), lines_.line(), reason, text, cure);
    }

private:
    std::string next_header_line(const char* what);
    void read_counts();
    void read_type();
    void read_formats();
    void set_type(const std::string& line);
    std::vector<count_t> header_numbers(const std::string& line, std::size_t from, std::size_t least);

    /// number(field text, field) for `count` fields of whole lines.
    template <class Number>
    void for_each_field(const std::vector<FortranField>& format, count_t count, const char* what, Number&& number);
    count_t plausible(count_t count) const;

    LineCursor lines_;
    RutherfordBoeingHeader header_;
    count_t value_lines_ = 0;
    count_t rhs_lines_ = 0;
    std::array<std::vector<FortranField>, 3> formats_;  // pointers, rows, values
};

}  // namespace frond::detail
