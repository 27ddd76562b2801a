// SPDX-License-Identifier: BSD-3-Clause
// Nested dissection (George 1973; Lipton, Rose & Tarjan 1979) by multilevel vertex separators.
#include "by_component.hpp"
#include "dissection/dissector.hpp"
#include "expand_order.hpp"
#include "frond/base/contract.hpp"

#include <numeric>
#include <string>

namespace frond {
namespace {

std::vector<index_t> order_connected(const Pattern& graph, const std::vector<index_t>& weight, index_t threads,
                                     const DissectionAdvice& advice) {
    dissection::Part all;
    all.graph.begin = graph.begin;
    all.graph.row = graph.row;
    all.graph.weight = weight;
    all.graph.total_weight = std::accumulate(weight.begin(), weight.end(), count_t{0});
    std::vector<index_t> order = natural_order(graph.cols);
    if (dissection::Dissector(graph, order, advice).run(std::move(all), threads)) return order;
    return approximate_minimum_degree(graph, weight);
}

}  // namespace

std::vector<index_t> nested_dissection(const Pattern& graph, const std::vector<index_t>& weight, index_t threads,
                                       const DissectionAdvice& advice) {
    FROND_EXPECTS(weight.size() == static_cast<std::size_t>(graph.cols), "there are " + std::to_string(weight.size()) +
                                                                             " weights for " +
                                                                             std::to_string(graph.cols) + " vertices");
    return order_by_component(graph, weight, [&](const Pattern& part, const auto& part_weight) {
        return order_connected(part, part_weight, threads, advice);
    });
}

}  // namespace frond
