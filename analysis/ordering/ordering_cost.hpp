// SPDX-License-Identifier: BSD-3-Clause
// Fixed coefficients, measured once on two cores: the choice of an ordering never depends on a clock.
#pragma once

#include <cmath>

#include "frond/analysis/analysis.hpp"

namespace frond {

/// flops / 120e9 + entries * 6e-9: dense kernels, and what every factor entry costs besides
/// (assembly, small fronts).
inline double predicted_factor_seconds(const OrderingCandidate& candidate) {
    return candidate.flops / 120e9 + static_cast<double>(candidate.factor_entries) * 6e-9;
}

/// 0.15e-6 n log2(n) + 0.25e-6 nnz.
inline double predicted_metis_seconds(const Pattern& graph) {
    const double n = static_cast<double>(graph.cols);
    return 0.15e-6 * n * std::log2(n + 1) + 0.25e-6 * static_cast<double>(graph.entries());
}

inline double predicted_scotch_seconds(const Pattern& graph) {
    return 2.5 * predicted_metis_seconds(graph);
}

/// Where Scotch beats METIS at all, it is by about 10% of a third of AMD's time.
inline constexpr double scotch_share_of_gain = 0.02;

}  // namespace frond
