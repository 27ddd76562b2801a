// SPDX-License-Identifier: BSD-3-Clause
#include "dual_matching.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace frond {

DualMatching::DualMatching(const Pattern& pattern, const std::vector<double>& magnitude)
    : a(pattern),
      cost(negated_log2(magnitude)),
      rows(static_cast<std::size_t>(pattern.rows)),
      column_dual(static_cast<std::size_t>(pattern.cols), 0.0),
      matched_entry(static_cast<std::size_t>(pattern.cols), free_column),
      free_count(pattern.cols) {}

bool DualMatching::tighten_column(index_t j) {
    double least = std::numeric_limits<double>::infinity();
    for (count_t e = begin(j); e < end(j); ++e) least = std::min(least, cost_of(e) - row_at(e).dual);
    if (least == std::numeric_limits<double>::infinity()) return false;
    dual_of_column(j) = least;
    return true;
}

std::vector<index_t> DualMatching::free_columns() const {
    std::vector<index_t> list;
    list.reserve(static_cast<std::size_t>(free_count));
    for (index_t j = 0; j < a.cols; ++j)
        if (matched_entry[j] == free_column) list.push_back(j);
    return list;
}

namespace {

constexpr std::uint64_t sqrt_half_bits = 0x3fe6a09e667f3bcdULL;  // bits of sqrt(1/2)
constexpr std::uint64_t bias_bits = 0x3ffULL << 52;  // bits of 1.0
constexpr std::uint64_t two_to_52_bits = 0x433ULL << 52;  // bits of 2^52
constexpr double two_over_log_2 = 2.8853900817779268147;  // 2 / ln 2
constexpr double largest_normal_cost = 1022;  // of 2^-1022

/// atanh(s) / s at z = s^2, 0 <= z <= 0.0295: Chebyshev interpolant of degree 7, error 1.2e-18.
inline double atanh_series(double z) {
    double p = 0x1.2f4d88c4fad06p-4;
    p = p * z + 0x1.3999bf614de60p-4;
    p = p * z + 0x1.7466994f20a7cp-4;
    p = p * z + 0x1.c71c50004ffddp-4;
    p = p * z + 0x1.2492494513f76p-3;
    p = p * z + 0x1.999999997aeaap-3;
    p = p * z + 0x1.55555555555aep-2;
    return p * z + 1.0;
}

/// x = 2^k m with sqrt(1/2) <= m < sqrt(2); log2 x = k + (2 / ln 2) atanh((m - 1) / (m + 1)).
/// Right for normal x; zero and subnormal x give a value above largest_normal_cost.
inline double negated_log2_of_normal(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t biased = (bits - sqrt_half_bits + bias_bits) >> 52;
    const double m = std::bit_cast<double>(bits - (biased << 52) + bias_bits);
    const double k = std::bit_cast<double>(biased | two_to_52_bits) - (0x1p52 + 1023);
    const double s = (m - 1) / (m + 1);
    return -(k + s * (two_over_log_2 * atanh_series(s * s)));
}

inline double negated_log2_of_tiny(double x) {
    if (x == 0) return std::numeric_limits<double>::infinity();
    return negated_log2_of_normal(x * 0x1p54) + 54;
}

}  // namespace

std::vector<double> negated_log2(const std::vector<double>& magnitude) {
    constexpr std::size_t block = 512;  // stays in the first-level cache between the two loops
    std::vector<double> cost(magnitude.size());
    const double* from = magnitude.data();
    double* to = cost.data();
    for (std::size_t first = 0; first < cost.size(); first += block) {
        const std::size_t last = std::min(first + block, cost.size());
        for (std::size_t e = first; e < last; ++e) to[e] = negated_log2_of_normal(from[e]);
        for (std::size_t e = first; e < last; ++e)
            if (to[e] > largest_normal_cost) to[e] = negated_log2_of_tiny(from[e]);
    }
    return cost;
}

}  // namespace frond
