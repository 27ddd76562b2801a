// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "frond/base/types.hpp"

namespace frond {

/// |x| as double without overflow or underflow on the way; std::hypot costs ten times as much.
template <class T>
double magnitude_of(T x) {
    if constexpr (is_complex<T>) {
        const double re = std::abs(static_cast<double>(x.real()));
        const double im = std::abs(static_cast<double>(x.imag()));
        const double most = std::max(re, im);
        if (most == 0) return 0;
        const double ratio = std::min(re, im) / most;
        return most * std::sqrt(1 + ratio * ratio);
    } else {
        return std::abs(static_cast<double>(x));
    }
}

/// The magnitudes of the stored entries.
template <class T, class Allocator>
std::vector<double> magnitudes_of(const std::vector<T, Allocator>& value) {
    std::vector<double> magnitude(value.size());
    for (std::size_t e = 0; e < value.size(); ++e) magnitude[e] = magnitude_of(value[e]);
    return magnitude;
}

}  // namespace frond
