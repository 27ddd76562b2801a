// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <future>
#include <limits>
#include <string>
#include <thread>

#include "dense_vertices.hpp"
#include "expand_order.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"
#include "ordering_cost.hpp"
#include "subgraph.hpp"
#include "user_order.hpp"

namespace frond {
namespace {

/// One computed order, of the groups of the compressed graph or of the vertices themselves.
struct Candidate {
    OrderingCandidate report;
    std::vector<index_t> order;
};

/// What every candidate is computed from.
struct Problem {
    const Pattern& graph;
    const std::vector<index_t>& partner;
    Factorization kind;
    const AnalysisOptions& options;
    CompressedGraph compressed;
    index_t threads;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

index_t threads_of(const AnalysisOptions& options) {
    if (options.threads > 0) return options.threads;
    return std::clamp<index_t>(static_cast<index_t>(std::thread::hardware_concurrency()), 1, 4);
}

std::vector<index_t> order_groups(const Pattern& graph, const std::vector<index_t>& weight,
                                  OrderingMethod method, index_t threads) {
    if (method == OrderingMethod::nested_dissection) return nested_dissection(graph, weight, threads);
    if (method == OrderingMethod::metis) return metis_nested_dissection(graph, weight);
    if (method == OrderingMethod::scotch) return scotch_nested_dissection(graph, weight);
    return approximate_minimum_degree(graph, weight);
}

/// Nested dissection of the graph without its dense vertices, which follow.
std::vector<index_t> order_dense_last(const CompressedGraph& compressed, OrderingMethod method,
                                      index_t threads) {
    const std::vector<index_t> dense = dense_vertices(compressed.graph, compressed.weight);
    if (dense.empty()) return order_groups(compressed.graph, compressed.weight, method, threads);

    std::vector<index_t> local(compressed.weight.size(), -1);
    std::vector<bool> is_dense(compressed.weight.size(), false);
    for (const index_t v : dense) is_dense[v] = true;
    std::vector<index_t> sparse;
    for (index_t v = 0; v < compressed.graph.cols; ++v)
        if (!is_dense[v]) sparse.push_back(v);
    const Subgraph part = induced_subgraph(compressed.graph, std::move(sparse), local);
    std::vector<index_t> weight(part.vertex.size());
    for (std::size_t k = 0; k < weight.size(); ++k) weight[k] = compressed.weight[part.vertex[k]];
    std::vector<index_t> order;
    order.reserve(compressed.weight.size());
    for (const index_t k : order_groups(part.graph, weight, method, threads))
        order.push_back(part.vertex[k]);
    order.insert(order.end(), dense.begin(), dense.end());
    return order;
}

Candidate group_candidate(const Problem& problem, OrderingMethod method) {
    const auto start = std::chrono::steady_clock::now();
    const CompressedGraph& compressed = problem.compressed;
    Candidate result;
    result.report.method = method;
    result.order = method == OrderingMethod::amd
                       ? approximate_minimum_degree(compressed.graph, compressed.weight)
                       : order_dense_last(compressed, method, problem.threads);
    result.report.seconds = seconds_since(start);
    const FillEstimate fill =
        estimate_fill(compressed.graph, compressed.weight, result.order, problem.kind);
    result.report.flops = fill.flops;
    result.report.factor_entries = fill.factor_entries;
    result.order = expand_order(result.order, compressed.member_begin, compressed.member);
    return result;
}

bool has_grid(const AnalysisOptions& options) {
    return options.grid != std::array<index_t, 3>{0, 0, 0};
}

std::vector<index_t> grid_order(const Problem& problem) {
    const AnalysisOptions& options = problem.options;
    FROND_EXPECTS(has_grid(options), "the ordering `geometric` needs the option `grid`");
    std::vector<index_t> order = geometric_nested_dissection(options.grid, options.grid_dofs);
    FROND_EXPECTS(order.size() == static_cast<std::size_t>(problem.graph.cols),
                  "the grid has " + std::to_string(order.size()) + " unknowns, the matrix " +
                      std::to_string(problem.graph.cols) + " columns; correct `grid` or `grid_dofs`");
    return order;
}

/// Orders that are given rather than computed from the graph.
Candidate vertex_candidate(const Problem& problem, OrderingMethod method) {
    const auto start = std::chrono::steady_clock::now();
    Candidate result;
    result.report.method = method;
    if (method == OrderingMethod::geometric) result.order = grid_order(problem);
    if (method == OrderingMethod::natural) result.order = natural_order(problem.graph.cols);
    if (method == OrderingMethod::user) {
        check_user_order(problem.options.user_order, problem.graph.cols);
        result.order = problem.options.user_order;
    }
    result.order = with_pairs_adjacent(result.order, problem.partner);
    result.report.seconds = seconds_since(start);
    const FillEstimate fill = estimate_fill(problem.graph, {}, result.order, problem.kind);
    result.report.flops = fill.flops;
    result.report.factor_entries = fill.factor_entries;
    return result;
}

/// Candidates beyond AMD that its fill makes worth their time.
std::vector<OrderingMethod> worthwhile_methods(const Problem& problem, const Candidate& amd) {
    const Pattern& graph = problem.compressed.graph;
    const double factor_seconds = predicted_factor_seconds(amd.report);
    std::vector<OrderingMethod> methods;
    if (has_grid(problem.options)) methods.push_back(OrderingMethod::geometric);
    if (factor_seconds > predicted_dissection_seconds(graph))
        methods.push_back(OrderingMethod::nested_dissection);
    if (graph.entries() > std::numeric_limits<index_t>::max() / 2) return methods;
    const double share = other_dissections_share * factor_seconds;
    if (share > predicted_metis_seconds(graph)) methods.push_back(OrderingMethod::metis);
    if (share > predicted_scotch_seconds(graph)) methods.push_back(OrderingMethod::scotch);
    return methods;
}

Candidate any_candidate(const Problem& problem, OrderingMethod method) {
    const bool given = method == OrderingMethod::geometric || method == OrderingMethod::natural ||
                       method == OrderingMethod::user;
    return given ? vertex_candidate(problem, method) : group_candidate(problem, method);
}

/// AMD, then the others side by side.
std::vector<Candidate> all_candidates(const Problem& problem) {
    std::vector<Candidate> candidates;
    candidates.push_back(group_candidate(problem, OrderingMethod::amd));
    const auto methods = worthwhile_methods(problem, candidates.front());
    const auto policy = problem.threads > 1 && methods.size() > 1 ? std::launch::async
                                                                  : std::launch::deferred;
    std::vector<std::future<Candidate>> running;
    for (const OrderingMethod method : methods)
        running.push_back(std::async(policy, [&problem, method] { return any_candidate(problem, method); }));
    for (auto& candidate : running) candidates.push_back(candidate.get());
    return candidates;
}

}  // namespace

OrderingResult choose_ordering(const Pattern& graph, const std::vector<index_t>& partner,
                               Factorization kind, const AnalysisOptions& options) {
    const Problem problem{graph,   partner, kind, options, compress_graph(graph, partner),
                          threads_of(options)};
    std::vector<Candidate> candidates;
    if (options.ordering == OrderingMethod::automatic)
        candidates = all_candidates(problem);
    else
        candidates.push_back(any_candidate(problem, options.ordering));

    const auto best = std::min_element(
        candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
            return predicted_factor_seconds(a.report) < predicted_factor_seconds(b.report);
        });
    OrderingResult result;
    result.compressed_vertices = problem.compressed.graph.cols;
    result.method = best->report.method;
    result.order = std::move(best->order);
    for (const Candidate& candidate : candidates) result.candidates.push_back(candidate.report);
    return result;
}

}  // namespace frond
