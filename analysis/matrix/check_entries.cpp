// SPDX-License-Identifier: BSD-3-Clause
#include "check_entries.hpp"

#include "frond/base/error.hpp"

#include <fmt/format.h>

#include <limits>

namespace frond::detail {

std::string text_of(double x) { return fmt::format("{}", x); }

std::string text_of(std::complex<double> x) { return fmt::format("({}, {})", x.real(), x.imag()); }

const char* symmetry_name(Symmetry symmetry) {
    switch (symmetry) {
        case Symmetry::symmetric:
            return "symmetric";
        case Symmetry::hermitian:
            return "Hermitian";
        case Symmetry::skew_symmetric:
            return "skew-symmetric";
        case Symmetry::general:
            break;
    }
    return "general";
}

void check_sizes(count_t rows, count_t cols) {
    constexpr count_t limit = std::numeric_limits<index_t>::max();
    if (rows < 0 || cols < 0)
        throw InvalidMatrix(
            fmt::format("matrix of {} rows and {} columns: sizes cannot be negative; correct them", rows, cols));
    if (rows > limit || cols > limit)
        throw InvalidMatrix(
            fmt::format("matrix of {} rows and {} columns exceeds the {} that can be "
                        "numbered; split the problem",
                        rows, cols, limit));
}

void check_square(count_t rows, count_t cols, Symmetry symmetry) {
    if (symmetry != Symmetry::general && rows != cols)
        throw InvalidMatrix(
            fmt::format("a matrix of {} rows and {} columns cannot be {}; "
                        "declare it general",
                        rows, cols, symmetry_name(symmetry)));
}

void fail_index(const char* what, count_t index, count_t entry, count_t limit, count_t base) {
    throw InvalidMatrix(
        fmt::format("{} index {} of entry {} (counted from 0) is not in {} .. {}; "
                    "indices are declared to start at {}",
                    what, index, entry, base, limit - 1 + base, base));
}

void fail_begin(count_t at, count_t value, count_t previous) {
    if (at == 0) throw InvalidMatrix(fmt::format("begin[0] is {} and must be {}; check one_based", value, previous));
    throw InvalidMatrix(fmt::format("begin[{}] = {} is less than begin[{}] = {}; begin must never decrease", at, value,
                                    at - 1, previous));
}

void fail_null(const char* what) {
    throw InvalidMatrix(fmt::format("the {} array is null though the matrix has entries; pass it", what));
}

void fail_value(count_t row, count_t column, const std::string& value) {
    throw InvalidMatrix(fmt::format("entry ({}, {}) is {}; values must be finite", row, column, value));
}

void fail_triangle(count_t row, count_t column, Triangle stored) {
    const bool lower = stored == Triangle::lower;
    throw InvalidMatrix(
        fmt::format("entry ({}, {}) lies in the {} triangle, but only the {} one was declared "
                    "as stored; leave it out or declare Triangle::both",
                    row, column, lower ? "upper" : "lower", lower ? "lower" : "upper"));
}

void fail_pair(count_t row, count_t column, const std::string& value, const std::string& mirrored, Symmetry symmetry) {
    throw InvalidMatrix(
        fmt::format("entries ({0}, {1}) = {2} and ({1}, {0}) = {3} do not agree in a matrix "
                    "declared {4}; correct them, give one triangle alone and say which, or declare it general",
                    row, column, value, mirrored, symmetry_name(symmetry)));
}

void fail_diagonal(count_t row, const std::string& value, Symmetry symmetry) {
    const char* rule = symmetry == Symmetry::hermitian ? "real" : "zero";
    throw InvalidMatrix(
        fmt::format("diagonal entry ({0}, {0}) = {1} must be {2} in a {3} matrix; correct it, "
                    "or declare the matrix general and give both triangles",
                    row, value, rule, symmetry_name(symmetry)));
}

}  // namespace frond::detail
