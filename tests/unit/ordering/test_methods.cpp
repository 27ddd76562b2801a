// SPDX-License-Identifier: BSD-3-Clause
#include "brute_force_symbolic.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/error.hpp"
#include "test_graphs.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

std::vector<index_t> ones(const Pattern& graph) {
    return std::vector<index_t>(static_cast<std::size_t>(graph.cols), 1);
}

std::vector<index_t> mixed_weights(const Pattern& graph) {
    std::vector<index_t> weight(static_cast<std::size_t>(graph.cols));
    for (std::size_t v = 0; v < weight.size(); ++v) weight[v] = static_cast<index_t>(1 + v % 3);
    return weight;
}

count_t fill(const Pattern& graph, const std::vector<index_t>& order) {
    return eliminate(graph, order).factor_entries();
}

}  // namespace

TEST_CASE("every method gives a permutation of every graph, with equal and with mixed weights") {
    for (const auto& [name, graph] : assorted_graphs()) {
        CAPTURE(name);
        for (const auto& weight : {ones(graph), mixed_weights(graph)}) {
            CHECK(is_permutation_of(approximate_minimum_degree(graph, weight), graph.cols));
            CHECK(is_permutation_of(nested_dissection(graph, weight, 1), graph.cols));
            CHECK(is_permutation_of(metis_nested_dissection(graph, weight), graph.cols));
            CHECK(is_permutation_of(scotch_nested_dissection(graph, weight), graph.cols));
        }
    }
}

TEST_CASE("minimum degree orders a tree without fill") {
    const Pattern path = path_graph(500), star = star_graph(60);
    CHECK(fill(path, approximate_minimum_degree(path, ones(path))) == 2 * 500 - 1);
    CHECK(fill(star, approximate_minimum_degree(star, ones(star))) == 2 * 60 - 1);
}

TEST_CASE("weighted minimum degree is that of the expanded graph") {
    // A heavy centre of a path is eliminated last: each end then costs its own weight only.
    const Pattern path = path_graph(3);
    CHECK(approximate_minimum_degree(path, {1, 9, 1}).back() == 1);
}

TEST_CASE("nested dissection keeps the fill of a k x k grid below 31/4 n log2(k)") {
    // George 1973: 31/4 n log2(k) + O(n) entries of L for his dissection of the 9-point grid.
    const index_t k = 48;
    const Pattern graph = grid_graph(k, k, 1);
    const count_t bound = 31 * k * k * 5 / 4;
    CHECK(fill(graph, geometric_nested_dissection({k, k, 1}, 1)) < bound);
    CHECK(fill(graph, nested_dissection(graph, ones(graph), 1)) < bound);
    CHECK(fill(graph, metis_nested_dissection(graph, ones(graph))) < bound);
    CHECK(fill(graph, scotch_nested_dissection(graph, ones(graph))) < bound);
    CHECK(fill(graph, approximate_minimum_degree(graph, ones(graph))) < bound);
    std::vector<index_t> natural(static_cast<std::size_t>(k) * k);
    for (std::size_t v = 0; v < natural.size(); ++v) natural[v] = static_cast<index_t>(v);
    CHECK(fill(graph, natural) > bound);
}

TEST_CASE("on a cube every method fills less than 60% of the band order") {
    const Pattern graph = grid_graph(10, 10, 10);
    std::vector<index_t> natural(1000);
    for (std::size_t v = 0; v < natural.size(); ++v) natural[v] = static_cast<index_t>(v);
    const count_t bound = fill(graph, natural) * 6 / 10;
    CHECK(fill(graph, approximate_minimum_degree(graph, ones(graph))) < bound);
    CHECK(fill(graph, nested_dissection(graph, ones(graph), 1)) < bound);
    CHECK(fill(graph, metis_nested_dissection(graph, ones(graph))) < bound);
    CHECK(fill(graph, scotch_nested_dissection(graph, ones(graph))) < bound);
    CHECK(fill(graph, geometric_nested_dissection({10, 10, 10}, 1)) < bound);
}

TEST_CASE("geometric dissection eliminates the middle plane last") {
    const auto order = geometric_nested_dissection({9, 5, 3}, 2);
    CHECK(is_permutation_of(order, 270));
    for (std::size_t k = 270 - 30; k < 270; ++k) CHECK(order[k] / 2 % 9 == 4);
    CHECK(geometric_nested_dissection({3, 1, 1}, 1) == std::vector<index_t>{0, 1, 2});
    CHECK(geometric_nested_dissection({9, 1, 1}, 1) == std::vector<index_t>{0, 1, 2, 3, 5, 6, 7, 8, 4});
    CHECK(is_permutation_of(geometric_nested_dissection({1, 1, 1}, 1), 1));
}

TEST_CASE("geometric dissection refuses grids that are none or too large") {
    CHECK_THROWS_AS(geometric_nested_dissection({0, 4, 4}, 1), InvalidArgument);
    CHECK_THROWS_AS(geometric_nested_dissection({4, 4, 4}, 0), InvalidArgument);
    CHECK_THROWS_AS(geometric_nested_dissection({2000, 2000, 2000}, 1), InvalidArgument);
}

TEST_CASE("our dissection gives one permutation, whatever the number of threads") {
    for (const Pattern& graph : {grid_graph(20, 20, 20), random_graph(6000, 9000, 3)}) {
        const auto weight = mixed_weights(graph);
        const auto first = nested_dissection(graph, weight, 1);
        CHECK(is_permutation_of(first, graph.cols));
        for (const index_t threads : {1, 2, 3, 8}) CHECK(nested_dissection(graph, weight, threads) == first);
    }
}

TEST_CASE("METIS gives one permutation, whatever rand() did before and in several threads") {
    const Pattern graph = grid_graph(15, 15, 15);
    const auto weight = ones(graph);
    std::srand(5);
    const auto first = metis_nested_dissection(graph, weight);
    std::srand(77);
    std::rand();
    std::vector<index_t> a, b;
    std::thread one([&] { a = metis_nested_dissection(graph, weight); });
    std::thread two([&] { b = metis_nested_dissection(graph, weight); });
    one.join();
    two.join();
    CHECK(a == first);
    CHECK(b == first);
}

TEST_CASE("METIS leaves the caller's rand() where it was") {
    std::srand(42);
    std::rand();
    const int expected = std::rand();
    std::srand(42);
    std::rand();
    const Pattern graph = grid_graph(12, 12, 12);
    metis_nested_dissection(graph, ones(graph));
    CHECK(std::rand() == expected);
}

TEST_CASE("Scotch gives one permutation, whatever rand() did before and in several threads") {
    const Pattern graph = grid_graph(15, 15, 15);
    const auto weight = ones(graph);
    const auto first = scotch_nested_dissection(graph, weight);
    std::srand(77);
    std::vector<index_t> a, b;
    std::thread one([&] { a = scotch_nested_dissection(graph, weight); });
    std::thread two([&] { b = scotch_nested_dissection(graph, weight); });
    one.join();
    two.join();
    CHECK(a == first);
    CHECK(b == first);
}
