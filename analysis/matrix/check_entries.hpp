// SPDX-License-Identifier: BSD-3-Clause
// What is refused in the caller's matrix, and the words for it.
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

#include <cmath>
#include <string>

namespace frond::detail {

template <class T>
bool is_finite(T x) {
    // 0 x is 0 for a finite x, else NaN; one test for both parts of a complex number.
    if constexpr (is_complex<T>)
        return x.real() * 0 == 0 && x.imag() * 0 == 0;
    else
        return x * 0 == 0;
}

/// "0.5" or "(0.5, -1)".
std::string text_of(double x);
std::string text_of(std::complex<double> x);

inline std::string text_of(float x) { return text_of(static_cast<double>(x)); }

inline std::string text_of(std::complex<float> x) { return text_of(std::complex<double>(x)); }

/// Sizes that the library can number: 0 <= size <= 2^31 - 1.
void check_sizes(count_t rows, count_t cols);
/// Square when a symmetry is declared.
void check_square(count_t rows, count_t cols, Symmetry symmetry);

[[noreturn]] void fail_index(const char* what, count_t index, count_t entry, count_t limit, count_t base);
[[noreturn]] void fail_begin(count_t at, count_t value, count_t previous);
[[noreturn]] void fail_null(const char* what);
[[noreturn]] void fail_value(count_t row, count_t column, const std::string& value);
[[noreturn]] void fail_triangle(count_t row, count_t column, Triangle stored);
[[noreturn]] void fail_pair(count_t row, count_t column, const std::string& value, const std::string& mirrored,
                            Symmetry symmetry);
[[noreturn]] void fail_diagonal(count_t row, const std::string& value, Symmetry symmetry);

const char* symmetry_name(Symmetry symmetry);

/// The compressed begin array: starts at base, never decreases, pointers present.
template <class T, class I>
void check_begin(const CompressedView<T, I>& a) {
    const count_t major = a.layout == Layout::columns ? a.cols : a.rows;
    if (major == 0) return;
    if (a.begin == nullptr) fail_null("begin");
    const count_t base = a.one_based ? 1 : 0;
    if (a.begin[0] != base) fail_begin(0, a.begin[0], base);
    for (count_t k = 0; k < major; ++k)
        if (a.begin[k + 1] < a.begin[k]) fail_begin(k + 1, a.begin[k + 1], a.begin[k]);
    if (a.begin[major] > base && a.index == nullptr) fail_null("index");
    if (a.begin[major] > base && a.value == nullptr) fail_null("value");
}

}  // namespace frond::detail
