// SPDX-License-Identifier: BSD-3-Clause
#include "entry_list.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "matrix_market/matrix_market_parser.hpp"
#include "rutherford_boeing/rutherford_boeing_parser.hpp"

#include <fmt/format.h>
#include <new>
#include <utility>

namespace frond::detail {

void check_plausible_size(const std::string& path, count_t rows, count_t cols, count_t entries) {
    constexpr count_t always_accepted = count_t{1} << 24;
    constexpr count_t empty_per_entry = 64;
    const count_t limit = std::max(always_accepted, empty_per_entry * entries);
    if (rows > limit || cols > limit)
        throw InvalidMatrix(fmt::format("{}: {} rows and {} columns for {} entries: more than {} would be empty; "
                                        "correct the size line or drop empty rows and columns",
                                        path, rows, cols, entries, std::max(rows, cols) - entries),
                            path);
}

}  // namespace frond::detail

namespace frond {
namespace {

using namespace detail;

/// A Rutherford-Boeing file has its Fortran formats, the first in parentheses, on line 4; a Matrix
/// Market file has comments, sizes or entries there.
bool looks_like_rutherford_boeing(std::string_view text) {
    for (int k = 0; k < 3; ++k) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return false;
        text.remove_prefix(end + 1);
    }
    const std::size_t first = text.find_first_not_of(" \t");
    return first != std::string_view::npos && text[first] == '(';
}

template <class Parser>
AnyMatrix read_any(Parser& parser, InputReport* report, const ReadOptions& options) {
    if (parser.header().field == FileField::complex)
        return read_from_parser<std::complex<double>>(parser, report, options);
    return read_from_parser<double>(parser, report, options);
}

}  // namespace

AnyMatrix read_matrix(const std::string& path, InputReport* report, const ReadOptions& options) try {
    LineCursor lines(path);
    if (looks_like_rutherford_boeing(lines.peek())) {
        RutherfordBoeingParser parser(std::move(lines));
        return read_any(parser, report, options);
    }
    MatrixMarketParser parser(std::move(lines), options);
    return read_any(parser, report, options);

} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

}  // namespace frond
