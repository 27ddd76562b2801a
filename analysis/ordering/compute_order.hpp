// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/steps.hpp"

#include <vector>

namespace frond {

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

}  // namespace frond
