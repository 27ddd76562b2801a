// SPDX-License-Identifier: BSD-3-Clause
// What the choice of an ordering looks at.
#pragma once

#include "frond/analysis/options.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/types.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <vector>

namespace frond {

/// Vertices with more than max(16, 10 sqrt(n)) neighbours, n and neighbours counted by weight, by
/// ascending degree: the rule of AMD (Amestoy, Davis & Duff 2004, section 2.5). They hide the
/// structure of the rest from nested dissection and are eliminated last. Empty when there are more
/// than sqrt(n) of them: then they are the structure.
std::vector<index_t> dense_vertices(const Pattern& graph, const std::vector<index_t>& weight);

/// True: every entry connects unknowns of one node or of two neighbours, diagonal ones included,
/// of the grid: only then do planes of nodes separate its halves. O(entries); the sizes must agree.
bool is_stencil_of_grid(const Pattern& graph, const AnalysisOptions& options);

/// The machine that times are predicted for: that of the options, rounded to powers of two, with
/// the rates of an ordinary core where they are not given; always the same one with
/// `deterministic`. Throws InvalidArgument for what is negative or not finite.
MachineDescription machine_to_order_for(const AnalysisOptions& options);

// Predicted times, from a description of the machine: the choice of an ordering never depends on a
// clock. Coefficients of orderings were measured once.

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

/// What every candidate is computed from.
struct OrderingProblem {
    const Pattern& graph;
    const std::vector<index_t>& partner;
    Factorization kind;
    const AnalysisOptions& options;
    CompressedGraph compressed;
    MachineDescription machine;
    index_t threads;

    bool has_grid() const { return options.grid != std::array<index_t, 3>{0, 0, 0}; }

    bool has_pairs() const;
};

/// One computed order of the vertices, and what it costs.
struct ComputedOrder {
    OrderingCandidate report;
    FillEstimate fill;
    double factor_seconds = 0;  // predicted
    std::vector<index_t> order;
    CountedTree elimination;
};

/// `advised`: nested_dissection leaves connected parts to AMD that are not worth it; where it
/// leaves all of them, the report names AMD.
ComputedOrder compute_order(const OrderingProblem& problem, OrderingMethod method, bool advised = false);

/// Throws InvalidArgument naming the position unless `order` is a permutation of 0 .. n-1.
void check_user_order(const std::vector<index_t>& order, index_t n);

/// The given order, in which each vertex whose partner comes later moves to just before that partner.
std::vector<index_t> with_pairs_adjacent(const std::vector<index_t>& order, const std::vector<index_t>& partner);

}  // namespace frond
