// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <complex>
#include <sstream>
#include <string>

#include "frond/base/types.hpp"

namespace frond {

inline bool has_finite_parts(std::complex<double> v) { return std::isfinite(v.real()) && std::isfinite(v.imag()); }

/// What is wrong with an entry that is not finite, or too large to be scaled.
template <class T>
std::string not_finite_text(index_t row, index_t column, T value) {
    std::ostringstream text;
    text << "entry (" << row << ", " << column << ") (counted from 0) ";
    if (!has_finite_parts(value))
        text << "is " << value << "; values must be finite";
    else
        text << "= " << value << " overflows " << (sizeof(real_t<T>) == 4 ? "single" : "double")
             << " precision when scaled; bring the largest values nearer to 1";
    return text.str();
}

}  // namespace frond
