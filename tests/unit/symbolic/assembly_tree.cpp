// SPDX-License-Identifier: BSD-3-Clause
#include "brute_force_symbolic.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/error.hpp"
#include "random_order.hpp"
#include "test_graphs.hpp"
#include "tree_checks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

constexpr double no_zeros = 1e-9;  // a share of zeros that no merge with zeros stays below

AnalysisOptions with_zeros(double share) {
    AnalysisOptions options;
    options.amalgamation_zeros = share;
    return options;
}

/// Random disjoint pairs along edges of the graph.
std::vector<index_t> random_pairs(const Pattern& graph, std::uint64_t seed) {
    Random random(seed);
    std::vector<index_t> partner(graph.cols);
    std::iota(partner.begin(), partner.end(), 0);
    for (index_t v = 0; v < graph.cols; ++v)
        for (count_t e = graph.begin[v]; e < graph.begin[v + 1]; ++e) {
            const index_t w = graph.row[e];
            if (partner[v] != v || partner[w] != w || random.below(2) == 0) continue;
            partner[v] = w;
            partner[w] = v;
        }
    return partner;
}

std::vector<index_t> front_of_columns(const AssemblyTree& tree) {
    std::vector<index_t> front;
    for (index_t f = 0; f < tree.front_count(); ++f) front.insert(front.end(), tree.fronts[f].npiv, f);
    return front;
}

struct RandomCase {
    Pattern graph;
    std::vector<index_t> order;
};

RandomCase random_case(std::uint64_t seed) {
    const index_t n = static_cast<index_t>(1 + seed % 61);
    return {random_graph(n, static_cast<count_t>(seed % 6) * n / 2, seed), random_order(n, seed)};
}

}  // namespace

TEST_CASE("without amalgamation fronts hold exactly the structure of L") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        auto [graph, order] = random_case(seed);
        const count_t entries = eliminate(graph, order).factor_entries();
        index_t before = 0;
        const AssemblyTree tree =
            build_assembly_tree(graph, order, {}, Factorization::llt, with_zeros(no_zeros), &before);
        REQUIRE(is_permutation_of(order, graph.cols));
        REQUIRE(wrong_shape(tree) == "");
        const BruteForceFill fill = eliminate(graph, order);
        REQUIRE(fill.factor_entries() == entries);  // an equivalent order
        REQUIRE(wrong_rows(tree, fill, true) == "");
        REQUIRE(wrong_relative_rows(tree) == "");
        REQUIRE(tree.front_count() <= before);
        REQUIRE(predict_costs(tree, Factorization::llt).factor_entries == entries);
    }
}

TEST_CASE("amalgamated fronts contain the structure of L") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        auto [graph, order] = random_case(seed);
        const count_t entries = eliminate(graph, order).factor_entries();
        const Factorization kind = seed % 2 ? Factorization::ldlt : Factorization::lu;
        const double share = seed % 3 == 0 ? 0 : 0.1 * static_cast<double>(seed % 5);
        index_t before = 0;
        const AssemblyTree tree = build_assembly_tree(graph, order, {}, kind, with_zeros(share), &before);
        REQUIRE(is_permutation_of(order, graph.cols));
        REQUIRE(wrong_shape(tree) == "");
        const BruteForceFill fill = eliminate(graph, order);
        REQUIRE(fill.factor_entries() == entries);
        REQUIRE(wrong_rows(tree, fill, false) == "");
        REQUIRE(wrong_relative_rows(tree) == "");
        REQUIRE(tree.front_count() <= before);
    }
}

TEST_CASE("amalgamation by a share of zeros stays below it and gathers small fronts") {
    const Pattern graph = grid_graph(40, 40, 1);
    for (const double share : {no_zeros, 0.1, 0.3}) {
        CAPTURE(share);
        std::vector<index_t> order = random_order(graph.cols, 5);
        const double exact = static_cast<double>(eliminate(graph, order).factor_entries());
        const AssemblyTree tree = build_assembly_tree(graph, order, {}, Factorization::llt, with_zeros(share));
        const double stored = static_cast<double>(predict_costs(tree, Factorization::llt).factor_entries);
        CHECK(stored >= exact);
        CHECK(stored * (1 - share) <= exact * (1 + 1e-12));
    }
    std::vector<index_t> order(graph.cols);
    std::iota(order.begin(), order.end(), 0);
    index_t before = 0;
    const AssemblyTree tree = build_assembly_tree(graph, order, {}, Factorization::llt, {}, &before);
    CHECK(tree.front_count() * 4 < before);
}

TEST_CASE("leaves of a star are gathered") {
    const auto star = [](index_t leaves, index_t rows,
                         index_t hub) {  // each leaf knows `rows` of the hub
        Edges edges;
        for (index_t i = 0; i < hub; ++i)
            for (index_t j = 0; j < i; ++j) edges.emplace_back(leaves + i, leaves + j);
        for (index_t leaf = 0; leaf < leaves; ++leaf)
            for (index_t r = 0; r < rows; ++r) edges.emplace_back(leaf, leaves + (leaf % 7 + r * r) % hub);
        return graph_of(leaves + hub, edges);
    };
    for (const index_t hub : {40, 160})
        for (const Factorization kind : {Factorization::ldlt, Factorization::lu}) {
            CAPTURE(hub);
            const Pattern graph = star(2000, 5, hub);
            std::vector<index_t> order(graph.cols);
            std::iota(order.begin(), order.end(), 0);
            const BruteForceFill exact = eliminate(graph, order);
            const AssemblyTree tree = build_assembly_tree(graph, order, {}, kind, {});
            CHECK(wrong_shape(tree) == "");
            CHECK(wrong_rows(tree, eliminate(graph, order), false) == "");
            CHECK(wrong_relative_rows(tree) == "");
            CHECK(tree.front_count() < 400);
            CHECK(predict_costs(tree, Factorization::llt).factor_entries <= 3 * exact.factor_entries());
        }
}

TEST_CASE("pairs lie in one front and next to each other") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        auto [graph, order] = random_case(seed);
        const std::vector<index_t> partner = random_pairs(graph, seed);
        const AssemblyTree tree =
            build_assembly_tree(graph, order, partner, Factorization::ldlt, with_zeros(seed % 2 ? no_zeros : 0));
        REQUIRE(is_permutation_of(order, graph.cols));
        REQUIRE(wrong_shape(tree) == "");
        REQUIRE(wrong_rows(tree, eliminate(graph, order), false) == "");
        REQUIRE(wrong_relative_rows(tree) == "");
        std::vector<index_t> position(order.size());
        for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<index_t>(k);
        const std::vector<index_t> front = front_of_columns(tree);
        for (index_t v = 0; v < graph.cols; ++v) {
            if (partner[v] == v) continue;
            REQUIRE(std::abs(position[v] - position[partner[v]]) == 1);
            REQUIRE(front[position[v]] == front[position[partner[v]]]);
        }
    }
}

TEST_CASE("assembly trees of assorted graphs") {
    for (const auto& [name, graph] : assorted_graphs()) {
        CAPTURE(name);
        std::vector<index_t> order = random_order(graph.cols, 3);
        if (graph.cols > 1000) std::iota(order.begin(), order.end(), 0);
        const AssemblyTree tree = build_assembly_tree(graph, order, {}, Factorization::lu, {});
        CHECK(wrong_shape(tree) == "");
        CHECK(wrong_relative_rows(tree) == "");
        if (graph.cols <= 1000) CHECK(wrong_rows(tree, eliminate(graph, order), false) == "");
    }
    std::vector<index_t> none;
    const AssemblyTree empty = build_assembly_tree(graph_of(0, {}), none, {}, Factorization::lu, {});
    CHECK(empty.fronts.empty());
    CHECK(empty.child_begin == std::vector<count_t>{0});
}

TEST_CASE("pairs that are none are refused") {
    const Pattern graph = path_graph(4);
    std::vector<index_t> order = {0, 1, 2, 3};
    const auto build = [&](const std::vector<index_t>& partner) {
        build_assembly_tree(graph, order, partner, Factorization::ldlt, {});
    };
    CHECK_THROWS_AS(build({1, 2, 1, 3}), InvalidArgument);
    CHECK_THROWS_AS(build({2, 1, 0, 3}), InvalidArgument);  // no entry (0, 2)
    CHECK_THROWS_AS(build({1, 0}), InvalidArgument);
    CHECK_THROWS_AS(build({4, 1, 2, 3}), InvalidArgument);
    CHECK_NOTHROW(build({1, 0, 3, 2}));
}
