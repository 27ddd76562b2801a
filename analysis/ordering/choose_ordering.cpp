// SPDX-License-Identifier: BSD-3-Clause
#include "../base/on_threads.hpp"
#include "ordering_parts.hpp"
#include "ordering_parts.hpp"

#include <algorithm>
#include <future>
#include <utility>

namespace frond {
namespace {

/// Few groups: AMD first, then dissection where it may pay. Many: separators first, and AMD where
/// they say that dissection does not pay.
std::vector<ComputedOrder> graph_candidates(const OrderingProblem& problem) {
    std::vector<ComputedOrder> candidates;
    const Pattern& groups = problem.compressed.graph;
    if (groups.cols > largest_amd_candidate) {
        candidates.push_back(compute_order(problem, OrderingMethod::nested_dissection, true));
        return candidates;
    }
    candidates.push_back(compute_order(problem, OrderingMethod::amd));
    if (is_tried_after_amd(candidates.back().fill, groups, problem.machine))
        candidates.push_back(compute_order(problem, OrderingMethod::nested_dissection));
    return candidates;
}

std::vector<ComputedOrder> automatic_candidates(const OrderingProblem& problem) {
    if (!problem.has_grid()) return graph_candidates(problem);
    const auto policy = problem.threads > 1 ? std::launch::async | std::launch::deferred : std::launch::deferred;
    auto geometric = std::async(policy, [&problem] { return compute_order(problem, OrderingMethod::geometric); });
    std::vector<ComputedOrder> candidates = graph_candidates(problem);
    candidates.push_back(geometric.get());
    return candidates;
}

}  // namespace

OrderingResult choose_ordering(const Pattern& graph, const std::vector<index_t>& partner, Factorization kind,
                               const AnalysisOptions& options) {
    const OrderingProblem problem{graph,
                                  partner,
                                  kind,
                                  options,
                                  compress_graph(graph, partner),
                                  machine_to_order_for(options),
                                  threads_for(options.threads, graph.entries())};
    std::vector<ComputedOrder> candidates;
    if (options.ordering == OrderingMethod::automatic)
        candidates = automatic_candidates(problem);
    else
        candidates.push_back(compute_order(problem, options.ordering));

    const auto best =
        std::min_element(candidates.begin(), candidates.end(), [](const ComputedOrder& a, const ComputedOrder& b) {
            return a.factor_seconds < b.factor_seconds;
        });
    OrderingResult result;
    result.compressed_vertices = problem.compressed.graph.cols;
    result.machine = problem.machine;
    result.method = best->report.method;
    result.order = std::move(best->order);
    result.elimination = std::move(best->elimination);
    for (const ComputedOrder& candidate : candidates) result.candidates.push_back(candidate.report);
    // Whoever asked for a grid that is not the matrix's is to see what it costs.
    if (options.ordering == OrderingMethod::geometric && !is_stencil_of_grid(graph, options))
        result.candidates.push_back(compute_order(problem, OrderingMethod::nested_dissection).report);
    return result;
}

}  // namespace frond
