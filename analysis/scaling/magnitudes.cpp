// SPDX-License-Identifier: BSD-3-Clause
#include "magnitudes.hpp"

#include "frond/analysis/steps.hpp"

#include <algorithm>
#include <cmath>

namespace frond {

MagnitudeMatrix both_triangles(const Pattern& lower, const std::vector<double>& magnitude) {
    MagnitudeMatrix full;
    const index_t n = lower.cols;
    full.pattern.rows = full.pattern.cols = n;
    std::vector<count_t>& begin = full.pattern.begin;
    begin.assign(static_cast<std::size_t>(n) + 1, 0);
    for (index_t j = 0; j < n; ++j) {
        begin[j + 1] += lower.begin[j + 1] - lower.begin[j];
        for (count_t e = lower.begin[j]; e < lower.begin[j + 1]; ++e)
            if (lower.row[e] != j) ++begin[lower.row[e] + 1];
    }
    for (index_t j = 0; j < n; ++j) begin[j + 1] += begin[j];
    full.pattern.row.resize(static_cast<std::size_t>(begin[n]));
    full.magnitude.resize(static_cast<std::size_t>(begin[n]));
    // Column j receives its mirrored entries (rows < j) from columns before j, then its own.
    std::vector<count_t> next(begin.begin(), begin.end() - 1);
    const auto place = [&](index_t i, index_t j, double value) {
        const count_t at = next[j]++;
        full.pattern.row[at] = i;
        full.magnitude[at] = value;
    };
    for (index_t j = 0; j < n; ++j)
        for (count_t e = lower.begin[j]; e < lower.begin[j + 1]; ++e) {
            const index_t i = lower.row[e];
            place(i, j, magnitude[e]);
            if (i != j) place(j, i, magnitude[e]);
        }
    return full;
}

count_t find_entry(const Pattern& a, index_t i, index_t j) {
    const auto first = a.row.begin() + a.begin[j], last = a.row.begin() + a.begin[j + 1];
    const auto at = std::lower_bound(first, last, i);
    return at != last && *at == i ? at - a.row.begin() : -1;
}

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
