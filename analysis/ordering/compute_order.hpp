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
    index_t threads;

    bool has_grid() const { return options.grid != std::array<index_t, 3>{0, 0, 0}; }
};

/// One computed order of the vertices, and what it costs.
struct ComputedOrder {
    OrderingCandidate report;
    std::vector<index_t> order;
};

/// `control` is for nested_dissection.
ComputedOrder compute_order(const OrderingProblem& problem, OrderingMethod method,
                            const DissectionControl& control = {});

} // namespace frond
