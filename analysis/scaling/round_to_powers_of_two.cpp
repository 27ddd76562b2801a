// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/steps.hpp"

#include <algorithm>
#include <cmath>

namespace frond {

/// x = m 2^e, 1/2 <= m < 1: the power of two nearest in ratio is 2^e where m >= sqrt(1/2), else
/// 2^(e-1).
void round_to_powers_of_two(std::vector<double>& scale) {
    constexpr double sqrt_half = 0.70710678118654752440;
    for (double& x : scale) {
        int exponent = 0;
        const double m = std::frexp(x, &exponent);
        x = std::ldexp(1.0, m >= sqrt_half ? exponent : exponent - 1);
    }
}

bool spans_too_much(const std::vector<double>& scale) {
    if (scale.empty()) return false;
    const auto [least, most] = std::minmax_element(scale.begin(), scale.end());
    return *most / *least > 0x1p100;
}

}  // namespace frond
