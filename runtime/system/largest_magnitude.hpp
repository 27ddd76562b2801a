// SPDX-License-Identifier: BSD-3-Clause
// Maxima in which a NaN is larger than everything: the bits of floating-point numbers >= 0 order as
// unsigned integers do, infinity above all numbers and NaN above infinity (IEEE 754-2019,
// section 3.4).
#pragma once

#include "frond/base/types.hpp"

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

namespace frond {

/// Largest of the numbers >= 0 seen so far.
class Largest {
public:
    /// x >= 0 or NaN of either sign
    void see(double x) { merge(std::bit_cast<std::uint64_t>(x) & ~sign_bit); }

    void see(const Largest& other) { merge(other.bits_); }

    /// Infinite when a NaN was seen.
    double value() const {
        const auto x = std::bit_cast<double>(bits_);
        return std::isnan(x) ? std::numeric_limits<double>::infinity() : x;
    }

private:
    static constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

    void merge(std::uint64_t bits) { bits_ = bits_ < bits ? bits : bits_; }

    std::uint64_t bits_ = 0;
};

template <class T>
double magnitude(T x) {
    return static_cast<double>(std::abs(x));
}

/// x / y with 0 / 0 = 0, and NaN when y is not finite: a quotient that cannot be trusted.
inline double trusted_quotient(double x, double y) {
    const double q = x / y;
    const double checked = std::isfinite(y) ? q : std::numeric_limits<double>::quiet_NaN();
    return x == 0 ? 0 : checked;
}

}  // namespace frond
