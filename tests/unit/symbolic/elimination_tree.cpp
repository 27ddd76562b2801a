// SPDX-License-Identifier: BSD-3-Clause
#include "../../../analysis/symbolic/forest.hpp"
#include "brute_force_symbolic.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/error.hpp"
#include "random_order.hpp"
#include "test_graphs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// 11 columns, the example of Davis, Direct Methods for Sparse Linear Systems (SIAM 2006), section
/// 4.1, as far as its drawing could be read; the numbers expected of it were found by elimination
/// by hand, and eliminate() confirms them.
Pattern davis_example() {
    return graph_of(11, {{0, 5},
                         {0, 6},
                         {1, 2},
                         {1, 7},
                         {2, 9},
                         {2, 10},
                         {3, 5},
                         {3, 9},
                         {4, 7},
                         {4, 10},
                         {5, 8},
                         {5, 9},
                         {6, 10},
                         {7, 9},
                         {7, 10},
                         {9, 10}});
}

std::vector<index_t> natural(index_t n) {
    std::vector<index_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

}  // namespace

TEST_CASE("elimination tree, postorder and column counts of a small example") {
    const Pattern graph = davis_example();
    const std::vector<index_t> parent = elimination_tree(graph, natural(11));
    CHECK(parent == std::vector<index_t>{5, 2, 7, 5, 7, 6, 8, 9, 9, 10, -1});
    const std::vector<index_t> post = postorder(parent);
    CHECK(post == std::vector<index_t>{1, 2, 4, 7, 0, 3, 5, 6, 8, 9, 10});

    const std::vector<index_t> counts = column_counts(graph, post, elimination_tree(graph, post));
    std::vector<index_t> by_column(11);
    for (index_t k = 0; k < 11; ++k) by_column[post[k]] = counts[k];
    const BruteForceFill fill = eliminate(graph, natural(11));
    CHECK(parent == fill.parents());
    CHECK(by_column == fill.column_counts());
    CHECK(by_column == std::vector<index_t>{3, 3, 4, 3, 3, 4, 4, 3, 3, 2, 1});
    CHECK(estimate_fill(graph, {}, natural(11), Factorization::llt).factor_entries == 33);
    CHECK(estimate_fill(graph, {}, natural(11), Factorization::lu).factor_entries == 55);
}

TEST_CASE("elimination tree and column counts against elimination by definition") {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        CAPTURE(seed);
        const index_t n = static_cast<index_t>(1 + seed % 47);
        const Pattern graph = random_graph(n, static_cast<count_t>(seed % 5) * n / 2, seed);
        const std::vector<index_t> order = random_order(n, seed);
        const std::vector<index_t> parent = elimination_tree(graph, order);
        REQUIRE(parent == eliminate(graph, order).parents());

        const std::vector<index_t> post = postorder(parent);
        REQUIRE(is_permutation_of(post, n));
        std::vector<index_t> postordered;
        for (index_t k : post) postordered.push_back(order[k]);
        const BruteForceFill fill = eliminate(graph, postordered);
        REQUIRE(column_counts(graph, postordered, fill.parents()) == fill.column_counts());
    }
}

TEST_CASE("postorder: children before parents, subtrees contiguous, children ascending") {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const index_t n = static_cast<index_t>(1 + seed);
        Random random(seed);
        std::vector<index_t> parent(n, -1);
        for (index_t j = 0; j + 1 < n; ++j)
            if (random.below(8) > 0) parent[j] = j + 1 + random.below(n - j - 1);
        const std::vector<index_t> post = postorder(parent);
        REQUIRE(is_permutation_of(post, n));
        std::vector<index_t> rank(n), size(n, 1);
        for (index_t k = 0; k < n; ++k) rank[post[k]] = k;
        for (index_t j = 0; j < n; ++j) {
            if (parent[j] < 0) continue;
            REQUIRE(rank[j] < rank[parent[j]]);
            size[parent[j]] += size[j];
        }
        for (index_t j = 0; j < n; ++j)
            for (index_t i = 0; i < j; ++i)
                if (parent[i] == parent[j]) REQUIRE(rank[i] < rank[j]);
        for (index_t j = 0; j < n; ++j)  // all of rank[j] - size[j] + 1 .. rank[j] descend from j
            for (index_t k = rank[j] - size[j] + 1; k < rank[j]; ++k) {
                index_t a = post[k];
                while (a >= 0 && a != j) a = parent[a];
                REQUIRE(a == j);
            }
    }
}

TEST_CASE("trees that are all chain or all roots") {
    CHECK(elimination_tree(graph_of(0, {}), {}).empty());
    CHECK(postorder({}).empty());
    CHECK(column_counts(graph_of(0, {}), {}, {}).empty());
    CHECK(elimination_tree(graph_of(3, {}), {2, 0, 1}) == std::vector<index_t>{-1, -1, -1});
    CHECK(postorder({-1, -1, -1}) == std::vector<index_t>{0, 1, 2});

    const index_t n = 300000;  // recursion would overflow the stack
    std::vector<index_t> chain(n);
    for (index_t k = 0; k < n; ++k) chain[k] = k + 1 < n ? k + 1 : -1;
    CHECK(postorder(chain) == natural(n));
}

TEST_CASE("fill of a compressed graph is that of the graph it stands for") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        const index_t groups = static_cast<index_t>(2 + seed % 13);
        const Pattern graph = random_graph(groups, 2 * groups, seed);
        Random random(seed + 1000);
        std::vector<index_t> weight(groups), first(groups + 1, 0);
        for (index_t g = 0; g < groups; ++g) {
            weight[g] = 1 + random.below(4);
            first[g + 1] = first[g] + weight[g];
        }
        Edges edges;  // cliques, and all edges between the members of neighbouring groups
        const auto join = [&](index_t g, index_t h) {
            for (index_t i = first[g]; i < first[g + 1]; ++i)
                for (index_t j = first[h]; j < first[h + 1]; ++j) edges.emplace_back(i, j);
        };
        for (index_t g = 0; g < groups; ++g) {
            join(g, g);
            for (count_t e = graph.begin[g]; e < graph.begin[g + 1]; ++e) join(g, graph.row[e]);
        }
        const std::vector<index_t> order = random_order(groups, seed);
        std::vector<index_t> expanded;
        for (index_t g : order)
            for (index_t i = first[g]; i < first[g + 1]; ++i) expanded.push_back(i);
        for (const Factorization kind : {Factorization::llt, Factorization::ldlt, Factorization::lu}) {
            const FillEstimate small = estimate_fill(graph, weight, order, kind);
            const FillEstimate large = estimate_fill(graph_of(first[groups], edges), {}, expanded, kind);
            CHECK(small.factor_entries == large.factor_entries);
            CHECK(small.flops == large.flops);  // integers below 2^53: exact
        }
    }
}

TEST_CASE("counts are the same for every number of threads") {
    auto graphs = assorted_graphs();
    graphs.push_back({"solid", grid_graph(17, 16, 15)});
    for (const auto& [name, graph] : graphs) {
        CAPTURE(name);
        const index_t n = graph.cols;
        std::vector<index_t> weight(static_cast<std::size_t>(n));
        for (index_t v = 0; v < n; ++v) weight[v] = 1 + v % 3;
        std::vector<index_t> dissected = nested_dissection(graph, weight, 1);
        for (const auto& order : {random_order(n, 7), dissected})
            for (const auto& weights : {std::vector<index_t>(), weight}) {
                const CountedTree one = counted_tree(graph, weights, order, 1);
                for (const index_t threads : {2, 3, 8, 17})
                    CHECK(counted_tree(graph, weights, order, threads).count == one.count);
            }
    }
}

TEST_CASE("the longest path of pivots is that of the tree") {
    CHECK(estimate_fill(path_graph(9), {}, natural(9), Factorization::llt).pivot_path == 9);
    const std::vector<index_t> hub_last = {1, 2, 3, 4, 0};
    CHECK(estimate_fill(star_graph(5), {}, hub_last, Factorization::llt).pivot_path == 2);
    CHECK(estimate_fill(star_graph(5), {3, 1, 4, 1, 1}, hub_last, Factorization::llt).pivot_path == 7);
    CHECK(estimate_fill(graph_of(0, {}), {}, {}, Factorization::llt).pivot_path == 0);
}

TEST_CASE("disjoint subtrees are maximal, and chunks of them hold each once") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const index_t n = 40 + static_cast<index_t>(seed) * 7;
        const auto tree = postordered_tree(random_graph(n, n, seed), random_order(n, seed));
        std::vector<index_t> first(static_cast<std::size_t>(n));
        std::vector<count_t> before(static_cast<std::size_t>(n) + 1, 0);
        std::iota(first.begin(), first.end(), 0);
        for (index_t j = 0; j < n; ++j) {
            before[j + 1] = before[j] + 1 + j % 3;
            if (tree.parent[j] >= 0) first[tree.parent[j]] = std::min(first[tree.parent[j]], first[j]);
        }
        const count_t most = before.back() / 8;
        const auto ranges = disjoint_subtrees(first, before, most);
        const auto work = [&](index_t j) { return before[j + 1] - before[first[j]]; };
        std::vector<int> covered(static_cast<std::size_t>(n), 0);
        for (const SubtreeRange& range : ranges) {
            CHECK(first[range.root] == range.first);
            CHECK(work(range.root) <= most);
            const index_t parent = tree.parent[range.root];
            if (parent >= 0) CHECK(work(parent) > most);
            for (index_t j = range.first; j <= range.root; ++j) ++covered[j];
        }
        for (index_t j = 0; j < n; ++j) CHECK(covered[j] == (work(j) <= most ? 1 : 0));
        const auto chunk = chunks_of_subtrees(ranges, before, most / 2);
        CHECK(chunk.front() == 0);
        CHECK(chunk.back() == static_cast<index_t>(ranges.size()));
        CHECK(std::is_sorted(chunk.begin(), chunk.end()));
    }
}

TEST_CASE("orders and trees that are none are refused") {
    const Pattern graph = davis_example();
    CHECK_THROWS_AS(elimination_tree(graph, {0, 1, 2}), InvalidArgument);
    CHECK_THROWS_AS(elimination_tree(graph_of(3, {}), {0, 1, 1}), InvalidArgument);
    CHECK_THROWS_AS(elimination_tree(graph_of(3, {}), {0, 1, 3}), InvalidArgument);
    CHECK_THROWS_AS(postorder({-1, 0}), InvalidArgument);
    const std::vector<index_t> not_postordered = elimination_tree(graph, natural(11));
    CHECK_THROWS_AS(column_counts(graph, natural(11), not_postordered), InvalidArgument);
}
