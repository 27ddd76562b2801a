// SPDX-License-Identifier: BSD-3-Clause
#include "../symbolic/forest.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "ordering_parts.hpp"
#include "subgraph.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

namespace frond {

void check_user_order(const std::vector<index_t>& order, index_t n) {
    if (order.size() != static_cast<std::size_t>(n))
        throw InvalidArgument("user_order has " + std::to_string(order.size()) + " entries, the matrix " +
                              std::to_string(n) + " columns; give one entry for each column");
    std::vector<index_t> position_of(order.size(), -1);
    for (index_t k = 0; k < n; ++k) {
        const index_t v = order[k];
        if (v < 0 || v >= n)
            throw InvalidArgument("user_order[" + std::to_string(k) + "] = " + std::to_string(v) + " is outside 0 .. " +
                                  std::to_string(n - 1) + "; columns are numbered from 0");
        if (position_of[v] >= 0)
            throw InvalidArgument("user_order[" + std::to_string(k) + "] = " + std::to_string(v) +
                                  " is already at position " + std::to_string(position_of[v]) +
                                  "; every column is eliminated once");
        position_of[v] = k;
    }
}

std::vector<index_t> with_pairs_adjacent(const std::vector<index_t>& order, const std::vector<index_t>& partner) {
    if (partner.empty()) return order;
    std::vector<index_t> result;
    result.reserve(order.size());
    std::vector<bool> waiting(order.size(), false);
    for (const index_t v : order) {
        const index_t u = partner[v];
        if (u != v && !waiting[u]) {
            waiting[v] = true;
            continue;
        }
        if (u != v) result.push_back(u);
        result.push_back(v);
    }
    return result;
}

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<index_t> order_groups(const Pattern& graph, const std::vector<index_t>& weight, OrderingMethod method,
                                  index_t threads, const DissectionAdvice& advice) {
    if (method == OrderingMethod::nested_dissection) return nested_dissection(graph, weight, threads, advice);
    if (method == OrderingMethod::metis) return metis_nested_dissection(graph, weight);
    if (method == OrderingMethod::scotch) return scotch_nested_dissection(graph, weight);
    if (method == OrderingMethod::ptscotch) return ptscotch_nested_dissection(graph, weight);
    return approximate_minimum_degree(graph, weight);
}

/// Nested dissection of the graph without its dense vertices, which follow.
std::vector<index_t> order_dense_last(const CompressedGraph& compressed, OrderingMethod method, index_t threads,
                                      const DissectionAdvice& advice) {
    const std::vector<index_t> dense = dense_vertices(compressed.graph, compressed.weight);
    if (dense.empty()) return order_groups(compressed.graph, compressed.weight, method, threads, advice);

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
    for (const index_t k : order_groups(part.graph, weight, method, threads, advice)) order.push_back(part.vertex[k]);
    order.insert(order.end(), dense.begin(), dense.end());
    return order;
}

/// What the tree, of groups or of vertices, says of the order's costs.
void count_fill(const OrderingProblem& problem, const CountedTree& elimination, const std::vector<index_t>& weight,
                ComputedOrder& result) {
    result.fill = fill_of(elimination, weight, problem.kind);
    result.factor_seconds = predicted_factor_seconds(result.fill, problem.compressed.graph.cols, problem.machine);
    result.report.flops = result.fill.flops;
    result.report.factor_entries = result.fill.factor_entries;
}

/// The elimination tree of the groups is that of the vertices, unless groups are pairs: partners
/// differ in their neighbours.
void take_group_order(const OrderingProblem& problem, const std::vector<index_t>& groups, ComputedOrder& result) {
    const CompressedGraph& compressed = problem.compressed;
    result.order = expand_order(groups, compressed.member_begin, compressed.member);
    if (problem.has_pairs()) {
        result.elimination = counted_tree(problem.graph, {}, result.order, problem.threads);
        return count_fill(problem, result.elimination, {}, result);
    }
    result.elimination = counted_tree(compressed.graph, compressed.weight, groups, problem.threads);
    count_fill(problem, result.elimination, compressed.weight, result);
    if (compressed.graph.cols != problem.graph.cols)
        result.elimination = expand_tree(result.elimination, compressed.member_begin, compressed.member);
}

ComputedOrder order_by_groups(const OrderingProblem& problem, OrderingMethod method, bool advised) {
    const auto start = std::chrono::steady_clock::now();
    const CompressedGraph& compressed = problem.compressed;
    bool dissected = !advised;
    DissectionAdvice advice;
    if (advised)
        advice = [&](const FirstSeparators& separators) {
            const bool worth = is_worth_dissecting(separators, problem.kind, problem.machine);
            dissected = dissected || worth;
            return worth;
        };
    ComputedOrder result;
    const std::vector<index_t> groups = method == OrderingMethod::amd
                                            ? approximate_minimum_degree(compressed.graph, compressed.weight)
                                            : order_dense_last(compressed, method, problem.threads, advice);
    result.report.method = dissected ? method : OrderingMethod::amd;
    result.report.seconds = seconds_since(start);
    take_group_order(problem, groups, result);
    return result;
}

std::vector<index_t> grid_order(const OrderingProblem& problem) {
    const AnalysisOptions& options = problem.options;
    if (!problem.has_grid())
        throw InvalidArgument(
            "the ordering `geometric` needs the option `grid`; give --grid NXxNYxNZ (grid = NXxNYxNZ)");
    std::vector<index_t> order = geometric_nested_dissection(options.grid, options.grid_dofs);
    if (order.size() != static_cast<std::size_t>(problem.graph.cols))
        throw InvalidArgument("the grid has " + std::to_string(order.size()) + " unknowns, the matrix " +
                              std::to_string(problem.graph.cols) + " columns; correct `grid` or `grid_dofs`");
    return order;
}

/// Orders that are given rather than computed from the graph.
ComputedOrder order_as_given(const OrderingProblem& problem, OrderingMethod method) {
    const auto start = std::chrono::steady_clock::now();
    ComputedOrder result;
    result.report.method = method;
    if (method == OrderingMethod::geometric) result.order = grid_order(problem);
    if (method == OrderingMethod::natural) result.order = natural_order(problem.graph.cols);
    if (method == OrderingMethod::user) {
        check_user_order(problem.options.user_order, problem.graph.cols);
        result.order = problem.options.user_order;
    }
    result.order = with_pairs_adjacent(result.order, problem.partner);
    result.report.seconds = seconds_since(start);
    result.elimination = counted_tree(problem.graph, {}, result.order, problem.threads);
    count_fill(problem, result.elimination, {}, result);
    return result;
}

}  // namespace

bool OrderingProblem::has_pairs() const {
    for (std::size_t v = 0; v < partner.size(); ++v)
        if (partner[v] != static_cast<index_t>(v)) return true;
    return false;
}

ComputedOrder compute_order(const OrderingProblem& problem, OrderingMethod method, bool advised) {
    const bool given =
        method == OrderingMethod::geometric || method == OrderingMethod::natural || method == OrderingMethod::user;
    return given ? order_as_given(problem, method) : order_by_groups(problem, method, advised);
}

}  // namespace frond
