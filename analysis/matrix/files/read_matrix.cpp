// SPDX-License-Identifier: BSD-3-Clause
#include "../text/text_source.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/matrix_file.hpp"

#include <new>

namespace frond {
namespace {

/// A Rutherford-Boeing file has its Fortran formats, the first in parentheses, on line 4; a Matrix
/// Market file has comments, sizes or entries there.
bool looks_like_rutherford_boeing(const std::string& path) {
    detail::LineCursor lines(path);
    std::string_view line;
    for (int k = 0; k < 4; ++k)
        if (!lines.next(line)) return false;
    const std::size_t first = line.find_first_not_of(" \t");
    return first != std::string_view::npos && line[first] == '(';
}

} // namespace

AnyMatrix read_matrix(const std::string& path, InputReport* report, const ReadOptions& options) try {
    using Complex = std::complex<double>;
    if (looks_like_rutherford_boeing(path)) {
        if (read_rutherford_boeing_header(path).field == FileField::complex)
            return read_rutherford_boeing<Complex>(path, report, options);
        return read_rutherford_boeing<double>(path, report, options);
    }
    if (read_matrix_market_header(path).field == FileField::complex)
        return read_matrix_market<Complex>(path, report, options);
    return read_matrix_market<double>(path, report, options);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

} // namespace frond
