// SPDX-License-Identifier: BSD-3-Clause
// Predicted times, from a description of the machine: the choice of an ordering never depends on a
// clock. Coefficients of orderings were measured once.
#pragma once

#include "frond/analysis/steps.hpp"

namespace frond {

/// What an ordering saves counts so often: a pattern that is analysed once is factorized for many
/// values (time steps, Newton's iterations).
inline constexpr double expected_factorizations = 10;

/// Above this many groups AMD is no candidate next to dissection, but may replace it.
inline constexpr index_t largest_amd_candidate = 20000;

/// The lesser of
///   cores:  flops / (rate of all) + entries * (what each costs besides: assembly, small fronts)
///   device: flops / rate + log2(groups) levels + pivots on the longest path, 32 in a step
double predicted_factor_seconds(const FillEstimate& fill, index_t groups, const MachineDescription& machine);

/// One thread takes 90e-9 n log2(n) + 0.34e-6 entries.
double dissection_cpu_seconds(index_t vertices, count_t entries);
/// Parts run at the same time, but the first ones run alone: cpu / cores^(3/4).
double predicted_dissection_seconds(index_t vertices, count_t entries, const MachineDescription& machine);

/// Below largest_amd_candidate: whether dissection is tried after AMD.
bool is_tried_after_amd(const FillEstimate& amd, const Pattern& groups, const MachineDescription& machine);

/// Above: what AMD's order takes more than dissection's to factorize, times
/// expected_factorizations, against what dissection takes more than AMD.
bool is_worth_dissecting(const FirstSeparators& separators, Factorization kind, const MachineDescription& machine);

}  // namespace frond
