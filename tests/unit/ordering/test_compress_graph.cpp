// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/steps.hpp"
#include "frond/base/error.hpp"
#include "test_graphs.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

std::vector<index_t> group_of(const CompressedGraph& c) {
    std::vector<index_t> group(c.member.size(), -1);
    for (std::size_t g = 0; g < c.weight.size(); ++g)
        for (count_t m = c.member_begin[g]; m < c.member_begin[g + 1]; ++m)
            group[c.member[m]] = static_cast<index_t>(g);
    return group;
}

/// By the definition: an edge of the quotient is an edge between members, and no other.
Edges quotient_edges(const Pattern& graph, const std::vector<index_t>& group) {
    Edges edges;
    for (index_t v = 0; v < graph.cols; ++v)
        for (count_t p = graph.begin[v]; p < graph.begin[v + 1]; ++p) edges.emplace_back(group[v], group[graph.row[p]]);
    return edges;
}

std::set<index_t> closed_neighbourhood(const Pattern& graph, index_t v) {
    std::set<index_t> set(graph.row.begin() + graph.begin[v], graph.row.begin() + graph.begin[v + 1]);
    set.insert(v);
    return set;
}

std::vector<index_t> random_partner(index_t n, std::uint64_t seed) {
    std::vector<index_t> partner(static_cast<std::size_t>(n));
    for (index_t v = 0; v < n; ++v) partner[v] = v;
    Random random(seed);
    for (index_t k = 0; k < n / 3; ++k) {
        const index_t u = random.below(n), v = random.below(n);
        if (u == v || partner[u] != u || partner[v] != v) continue;
        partner[u] = v;
        partner[v] = u;
    }
    return partner;
}

void check_consistent(const Pattern& graph, const CompressedGraph& c) {
    CHECK(is_permutation_of(c.member, graph.cols));
    const auto groups = static_cast<index_t>(c.weight.size());
    for (index_t g = 0; g < groups; ++g) CHECK(c.weight[g] == c.member_begin[g + 1] - c.member_begin[g]);
    const Pattern expected = graph_of(groups, quotient_edges(graph, group_of(c)));
    CHECK(c.graph.begin == expected.begin);
    CHECK(c.graph.row == expected.row);
}

}  // namespace

TEST_CASE("compression merges exactly the indistinguishable vertices") {
    for (const auto& [name, graph] : assorted_graphs()) {
        CAPTURE(name);
        const CompressedGraph c = compress_graph(graph, {});
        check_consistent(graph, c);
        if (graph.cols > 1000) continue;
        const auto group = group_of(c);
        std::vector<std::set<index_t>> closed;
        for (index_t v = 0; v < graph.cols; ++v) closed.push_back(closed_neighbourhood(graph, v));
        index_t wrong = 0;
        for (index_t u = 0; u < graph.cols; ++u)
            for (index_t v = 0; v < u; ++v)
                if ((closed[u] == closed[v]) != (group[u] == group[v])) ++wrong;
        CHECK(wrong == 0);
    }
}

TEST_CASE("three unknowns a node compress to the nodes; a complete graph to one vertex") {
    const CompressedGraph nodes = compress_graph(grid_graph(5, 4, 3, 3, true), {});
    CHECK(nodes.graph.cols == 60);
    CHECK(nodes.weight == std::vector<index_t>(60, 3));
    CHECK(compress_graph(complete_graph(40), {}).weight == std::vector<index_t>{40});
}

TEST_CASE("pairs are merged first and stay adjacent among the members") {
    for (const auto& [name, graph] : assorted_graphs()) {
        CAPTURE(name);
        const auto partner = random_partner(graph.cols, 7);
        const CompressedGraph c = compress_graph(graph, partner);
        check_consistent(graph, c);
        std::vector<index_t> position(c.member.size());
        for (std::size_t m = 0; m < c.member.size(); ++m) position[c.member[m]] = static_cast<index_t>(m);
        const auto group = group_of(c);
        for (index_t v = 0; v < graph.cols; ++v) {
            CHECK(group[v] == group[partner[v]]);
            if (partner[v] != v) CHECK(std::abs(position[v] - position[partner[v]]) == 1);
        }
    }
}

TEST_CASE("pairs that become indistinguishable join one group") {
    // A 4-cycle of pairs {0,1}, {2,3}: merged, the two pairs are adjacent and alone.
    const Pattern square = graph_of(4, {{0, 2}, {1, 3}});
    const CompressedGraph c = compress_graph(square, {1, 0, 3, 2});
    CHECK(c.graph.cols == 1);
    CHECK(c.member == std::vector<index_t>{0, 1, 2, 3});
}

TEST_CASE("a partner list that is not mutual is refused") {
    CHECK_THROWS_AS(compress_graph(path_graph(3), {1, 2, 0}), InvalidArgument);
    CHECK_THROWS_AS(compress_graph(path_graph(3), {0, 1}), InvalidArgument);
    CHECK_THROWS_AS(compress_graph(path_graph(3), {0, 3, 2}), InvalidArgument);
}
