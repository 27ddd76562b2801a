// SPDX-License-Identifier: BSD-3-Clause
// Fixed coefficients, measured once on two cores: the choice of an ordering never depends on a
// clock.
#pragma once

#include "frond/analysis/analysis.hpp"

#include <cmath>

namespace frond {

/// flops / 120e9 + entries * 6e-9: dense kernels, and what every factor entry costs besides
/// (assembly, small fronts).
inline double predicted_factor_seconds(const OrderingCandidate& candidate) {
    return candidate.flops / 120e9 + static_cast<double>(candidate.factor_entries) * 6e-9;
}

/// 0.035e-6 n log2(n) + 0.13e-6 nnz, on two threads.
inline double predicted_dissection_seconds(const Pattern& graph) {
    const double n = static_cast<double>(graph.cols);
    return 0.035e-6 * n * std::log2(n + 1) + 0.13e-6 * static_cast<double>(graph.entries());
}

/// 0.15e-6 n log2(n) + 0.25e-6 nnz, on its only thread.
inline double predicted_metis_seconds(const Pattern& graph) {
    const double n = static_cast<double>(graph.cols);
    return 0.15e-6 * n * std::log2(n + 1) + 0.25e-6 * static_cast<double>(graph.entries());
}

inline double predicted_scotch_seconds(const Pattern& graph) {
    return 2.5 * predicted_metis_seconds(graph);
}

/// METIS and Scotch are tried besides our own dissection when this share of AMD's factorization
/// time exceeds theirs. They save at most a few hundredths of the time after our dissection, which
/// where they come into question is a third of AMD's and less, and seldom that.
inline constexpr double other_dissections_share = 0.005;

} // namespace frond
