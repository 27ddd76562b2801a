// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../text/text_source.hpp"
#include "fortran_format.hpp"
#include "frond/matrix/rutherford_boeing.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace frond::detail {

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
