// SPDX-License-Identifier: BSD-3-Clause
// The sections behind the header: pointers, rows and values, by the formats of line 4.
#include "../entry_list.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "rutherford_boeing_parser.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <new>

namespace frond::detail {

count_t RutherfordBoeingParser::plausible(count_t count) const {
    const count_t bytes = lines_.source().file_bytes() * (lines_.source().compressed() ? 16 : 1);
    return std::min(count, bytes + 1);
}

template <class Number>
void RutherfordBoeingParser::for_each_field(const std::vector<FortranField>& format, count_t count, const char* what,
                                            Number&& number) {
    count_t found = 0;
    std::string_view line;
    while (found < count) {
        if (!lines_.next(line))
            fail(fmt::format("the file ends after {} of {} {}", found, count, what), "",
                 "complete the file or correct the header");
        for (const FortranField& field : format) {
            if (found == count) break;
            number(columns_of(line, static_cast<std::size_t>(field.begin), static_cast<std::size_t>(field.width)),
                   field);
            ++found;
        }
    }
}

std::vector<count_t> RutherfordBoeingParser::pointers() {
    std::vector<count_t> begin;
    const count_t count = header_.cols + 1;
    begin.reserve(static_cast<std::size_t>(plausible(count)));
    for_each_field(formats_[0], count, "column pointers", [&](std::string_view text, const FortranField&) {
        count_t value = 0;
        const TextFault fault = parse_fortran_integer(text, value);
        if (fault != TextFault::none)
            fail(fmt::format("column pointer {} {}", begin.size() + 1, describe(fault)), text, "check the format");
        const count_t least = begin.empty() ? 1 : begin.back() + 1;
        if (value < least || value > header_.entries + 1 || (begin.empty() && value != 1))
            fail(fmt::format("column pointer {} is {} and must be in {} .. {}", begin.size() + 1, value, least,
                             begin.empty() ? 1 : header_.entries + 1),
                 text, "pointers start at 1 and never decrease");
        begin.push_back(value - 1);
    });
    if (begin.back() != header_.entries)
        fail(fmt::format("the last column pointer is {}, but the header has {} entries", begin.back() + 1,
                         header_.entries),
             "", "it must be entries + 1");
    return begin;
}

std::vector<index_t> RutherfordBoeingParser::rows() {
    std::vector<index_t> row;
    row.reserve(static_cast<std::size_t>(plausible(header_.entries)));
    for_each_field(formats_[1], header_.entries, "row indices", [&](std::string_view text, const FortranField&) {
        count_t value = 0;
        const TextFault fault = parse_fortran_integer(text, value);
        if (fault != TextFault::none)
            fail(fmt::format("row index {} {}", row.size() + 1, describe(fault)), text, "check the format");
        if (value < 1 || value > header_.rows)
            fail(fmt::format("row index {} is not in 1 .. {}", value, header_.rows), text,
                 "correct it or the header's rows");
        row.push_back(static_cast<index_t>(value));
    });
    return row;
}

std::vector<double> RutherfordBoeingParser::values(const ReadOptions& options) {
    std::vector<double> value;
    const count_t count = header_.field == FileField::complex ? 2 * header_.entries : header_.entries;
    value.reserve(static_cast<std::size_t>(plausible(count)));
    for_each_field(formats_[2], count, "values", [&](std::string_view text, const FortranField& field) {
        double x = 0;
        const TextFault fault = parse_fortran_real(text, field, x);
        if (fault != TextFault::none && (fault != TextFault::not_finite || options.require_finite))
            fail(fmt::format("value {} {}", value.size() + 1, describe(fault)), text,
                 "check the format; numbers need a decimal point");
        value.push_back(x);
    });
    return value;
}

}  // namespace frond::detail

namespace frond {
namespace {

using namespace detail;

/// The k-th entry's value: 1 of a pattern; refused when it is too large for a float.
template <class T>
T entry_value(const RutherfordBoeingParser& parser, const std::vector<double>& value, std::size_t k) {
    using R = real_t<T>;
    const FileField field = parser.header().field;
    if (field == FileField::pattern) return T(1);
    const bool complex = field == FileField::complex;
    const double re = complex ? value[2 * k] : value[k];
    const double im = complex ? value[2 * k + 1] : 0.0;
    R narrow_re = 0;
    R narrow_im = 0;
    if (!round_to_float(re, nullptr, narrow_re) || !round_to_float(im, nullptr, narrow_im))
        parser.fail("value " + std::to_string(k + 1) + " is larger than single precision can hold", "",
                    "read it in double precision");
    if constexpr (is_complex<T>)
        return T(narrow_re, narrow_im);
    else
        return narrow_re;
}

/// The format asks for the lower one; both are refused later.
template <class T>
Triangle stored_triangle(const EntryList<T>& list) {
    bool upper = false;
    for (std::size_t e = 0; e < list.row.size(); ++e) {
        if (list.row[e] > list.column[e]) return Triangle::lower;
        upper = upper || list.row[e] < list.column[e];
    }
    return upper && list.symmetry != Symmetry::general ? Triangle::upper : Triangle::lower;
}

}  // namespace

template <class T>
SparseMatrix<T> detail::read_from_parser(RutherfordBoeingParser& parser, InputReport* report,
                                         const ReadOptions& options) {
    const RutherfordBoeingHeader& header = parser.header();
    if (!is_complex<T> && header.field == FileField::complex)
        parser.fail("the file holds a complex matrix, which a real scalar cannot", header.type,
                    "read it into std::complex");
    const std::vector<count_t> begin = parser.pointers();
    EntryList<T> list;
    list.symmetry = header.symmetry;
    list.row = parser.rows();
    std::vector<double> value;
    if (header.field != FileField::pattern) value = parser.values(options);
    list.column.reserve(list.row.size());
    list.value.reserve(list.row.size());
    for (std::size_t j = 0; j + 1 < begin.size(); ++j)
        for (count_t e = begin[j]; e < begin[j + 1]; ++e) {
            list.column.push_back(static_cast<index_t>(j) + 1);
            list.value.push_back(entry_value<T>(parser, value, static_cast<std::size_t>(e)));
        }
    list.stored = stored_triangle(list);
    return make_canonical(list, header.rows, header.cols, parser.path(), report, options);
}

RutherfordBoeingHeader read_rutherford_boeing_header(const std::string& path) try {
    return RutherfordBoeingParser(LineCursor(path)).header();
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

template <class T>
SparseMatrix<T> read_rutherford_boeing(const std::string& path, InputReport* report, const ReadOptions& options) try {
    RutherfordBoeingParser parser{LineCursor(path)};
    return read_from_parser<T>(parser, report, options);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T)                                                                                         \
    template SparseMatrix<T> detail::read_from_parser<T>(RutherfordBoeingParser&, InputReport*, const ReadOptions&); \
    template SparseMatrix<T> read_rutherford_boeing<T>(const std::string&, InputReport*, const ReadOptions&);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
