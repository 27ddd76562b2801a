// SPDX-License-Identifier: BSD-3-Clause
#include "../../../analysis/symbolic/forest.hpp"
#include "brute_force_symbolic.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/error.hpp"
#include "test_graphs.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace frond;
using namespace frond::test;

namespace {

constexpr OrderingMethod computed_methods[] = {
    OrderingMethod::automatic, OrderingMethod::amd,    OrderingMethod::nested_dissection,
    OrderingMethod::metis,     OrderingMethod::scotch, OrderingMethod::natural};

AnalysisOptions with_method(OrderingMethod method) {
    AnalysisOptions options;
    options.ordering = method;
    return options;
}

std::vector<index_t> opposite_pairs(index_t n) {
    std::vector<index_t> partner(static_cast<std::size_t>(n));
    for (index_t v = 0; v < n; ++v) partner[v] = v % 3 == 0 ? v : n - 1 - v;
    for (index_t v = 0; v < n; ++v)
        if (partner[partner[v]] != v) partner[v] = v;
    return partner;
}

index_t pairs_torn(const std::vector<index_t>& order, const std::vector<index_t>& partner) {
    std::vector<index_t> position(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<index_t>(k);
    index_t torn = 0;
    for (std::size_t v = 0; v < order.size(); ++v)
        if (std::abs(position[v] - position[partner[v]]) > 1) ++torn;
    return torn;
}

std::string message_of(const Pattern& graph, const AnalysisOptions& options) {
    try {
        choose_ordering(graph, {}, Factorization::llt, options);
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "nothing thrown";
}

}  // namespace

TEST_CASE("every choice is a permutation of every graph and keeps pairs adjacent") {
    for (const auto& [name, graph] : assorted_graphs())
        for (const OrderingMethod method : computed_methods) {
            CAPTURE(name);
            const auto partner = opposite_pairs(graph.cols);
            const auto plain = choose_ordering(graph, {}, Factorization::llt, with_method(method));
            CHECK(is_permutation_of(plain.order, graph.cols));
            const auto paired = choose_ordering(graph, partner, Factorization::ldlt, with_method(method));
            CHECK(is_permutation_of(paired.order, graph.cols));
            CHECK(pairs_torn(paired.order, partner) == 0);
            if (method != OrderingMethod::automatic) CHECK(paired.method == method);
        }
}

TEST_CASE("reported entries are those of the order returned") {
    for (const auto& [name, graph] : assorted_graphs()) {
        if (graph.entries() > 1500) continue;
        CAPTURE(name);
        for (const OrderingMethod method : computed_methods) {
            const auto result = choose_ordering(graph, {}, Factorization::llt, with_method(method));
            for (const OrderingCandidate& candidate : result.candidates)
                if (candidate.method == result.method)
                    CHECK(candidate.factor_entries == eliminate(graph, result.order).factor_entries());
        }
    }
}

TEST_CASE("automatic takes AMD for a plane and nested dissection for a solid") {
    const auto plane = choose_ordering(grid_graph(150, 150, 1), {}, Factorization::llt, {});
    CHECK(plane.method == OrderingMethod::amd);
    CHECK(plane.candidates.size() == 1);
    const auto solid = choose_ordering(grid_graph(14, 14, 14, 3, true), {}, Factorization::lu, {});
    CHECK(solid.method == OrderingMethod::nested_dissection);
    CHECK(solid.compressed_vertices == 14 * 14 * 14);
    CHECK(solid.candidates.front().method == OrderingMethod::amd);
    CHECK(solid.candidates.front().flops > solid.candidates.back().flops);
}

TEST_CASE("many groups: separators first, and AMD where they say so") {
    const auto solid = choose_ordering(grid_graph(30, 30, 30), {}, Factorization::llt, {});
    REQUIRE(solid.candidates.size() == 1);
    CHECK(solid.method == OrderingMethod::nested_dissection);
    const auto chain = choose_ordering(path_graph(30000), {}, Factorization::llt, {});
    REQUIRE(chain.candidates.size() == 1);
    CHECK(chain.method == OrderingMethod::amd);
    CHECK(chain.candidates[0].factor_entries == 2 * 30000 - 1);
}

TEST_CASE("how quick the machine is decides") {
    const Pattern plane = grid_graph(160, 160, 1);
    AnalysisOptions slow, quick;
    slow.machine = {1, 1e7, 0, 0, 0, 0};
    quick.machine = {1, 1e10, 1, 1e15, 1e-9, 1e-9};
    CHECK(choose_ordering(plane, {}, Factorization::llt, slow).method == OrderingMethod::nested_dissection);
    CHECK(choose_ordering(plane, {}, Factorization::llt, quick).method == OrderingMethod::amd);
    const Pattern small = grid_graph(40, 40, 1);
    CHECK(choose_ordering(small, {}, Factorization::llt, slow).candidates.size() == 2);
    CHECK(choose_ordering(small, {}, Factorization::llt, quick).candidates.size() == 1);
}

TEST_CASE("the machine is rounded, reported, and fixed by `deterministic`") {
    const Pattern graph = path_graph(5);
    AnalysisOptions options;
    options.machine = {6, 31e9, 2, 9e12, 21e-6, 12e-6};
    const MachineDescription m = choose_ordering(graph, {}, Factorization::llt, options).machine;
    CHECK(m.cores == 4);
    CHECK(m.core_flops_per_second == std::exp2(35));
    CHECK(m.devices == 2);
    CHECK(m.device_flops_per_second == std::exp2(43));
    CHECK(m.level_seconds == std::exp2(-16));
    CHECK(m.step_seconds == std::exp2(-16));
    options.deterministic = true;
    const MachineDescription one = choose_ordering(graph, {}, Factorization::llt, options).machine;
    options.machine = {};
    const MachineDescription two = choose_ordering(graph, {}, Factorization::llt, options).machine;
    for (const MachineDescription& fixed : {one, two}) {
        CHECK(fixed.cores == 8);
        CHECK(fixed.devices == 0);
        CHECK(fixed.core_flops_per_second == one.core_flops_per_second);
    }
}

TEST_CASE("a machine that cannot be is refused") {
    AnalysisOptions options;
    options.machine.cores = -1;
    CHECK(message_of(path_graph(3), options).find("machine.cores = -1") != std::string::npos);
    options.machine = {2, std::nan(""), 0, 0, 0, 0};
    CHECK(message_of(path_graph(3), options).find("positive") != std::string::npos);
}

TEST_CASE("the tree that comes with an order is that of its columns") {
    const auto check = [](const Pattern& graph, const OrderingResult& result) {
        const CountedTree own = counted_tree(graph, {}, result.order);
        CHECK(result.elimination.tree.order == own.tree.order);
        CHECK(result.elimination.tree.position == own.tree.position);
        CHECK(result.elimination.tree.parent == own.tree.parent);
        CHECK(result.elimination.count == own.count);
    };
    auto graphs = assorted_graphs();
    graphs.push_back({"three unknowns a node", grid_graph(9, 8, 7, 3, true)});
    for (const auto& [name, graph] : graphs)
        for (const OrderingMethod method : computed_methods) {
            CAPTURE(name);
            check(graph, choose_ordering(graph, {}, Factorization::llt, with_method(method)));
            check(graph, choose_ordering(graph, opposite_pairs(graph.cols), Factorization::ldlt, with_method(method)));
        }
}

TEST_CASE("a grid that is not the matrix's is taken as asked, and compared") {
    AnalysisOptions options = with_method(OrderingMethod::geometric);
    const Pattern graph = grid_graph(12, 12, 12);
    const auto take = [&](std::array<index_t, 3> grid, index_t dofs) {
        options.grid = grid;
        options.grid_dofs = dofs;
        return choose_ordering(graph, {}, Factorization::llt, options);
    };
    CHECK(take({12, 12, 12}, 1).candidates.size() == 1);
    CHECK(take({6, 12, 12}, 2).candidates.size() == 1);  // two nodes as one are neighbours still
    for (const std::array<index_t, 3> grid : {std::array<index_t, 3>{24, 12, 6}, {12, 6, 24}, {1728, 1, 1}}) {
        const OrderingResult result = take(grid, 1);
        CHECK(result.method == OrderingMethod::geometric);
        CHECK(result.order == geometric_nested_dissection(grid, 1));
        REQUIRE(result.candidates.size() == 2);
        CHECK(result.candidates[0].method == OrderingMethod::geometric);
        CHECK(result.candidates[1].method == OrderingMethod::nested_dissection);
        CHECK(result.candidates[0].flops > result.candidates[1].flops);
    }
}

TEST_CASE("a grid makes geometric dissection a candidate") {
    AnalysisOptions options;
    options.grid = {16, 16, 16};
    const Pattern graph = grid_graph(16, 16, 16);
    const auto automatic = choose_ordering(graph, {}, Factorization::llt, options);
    bool offered = false;
    for (const auto& candidate : automatic.candidates)
        offered = offered || candidate.method == OrderingMethod::geometric;
    CHECK(offered);
    options.ordering = OrderingMethod::geometric;
    const auto asked = choose_ordering(graph, {}, Factorization::llt, options);
    CHECK(asked.order == geometric_nested_dissection({16, 16, 16}, 1));
    CHECK(asked.candidates.size() == 1);
    options.grid = {16, 16, 15};
    CHECK(message_of(graph, options).find("3840") != std::string::npos);
    options.grid = {0, 0, 0};
    CHECK(message_of(graph, options).find("grid") != std::string::npos);
}

TEST_CASE("the choice does not depend on the number of threads") {
    auto graphs = assorted_graphs();
    graphs.push_back({"a solid of many groups", grid_graph(30, 30, 30)});
    graphs.push_back({"a chain of many groups", path_graph(30000)});
    for (const auto& [name, graph] : graphs) {
        CAPTURE(name);
        AnalysisOptions one, two;
        one.threads = 1;
        two.threads = 5;
        const auto a = choose_ordering(graph, {}, Factorization::llt, one);
        const auto b = choose_ordering(graph, {}, Factorization::llt, two);
        CHECK(a.order == b.order);
        CHECK(a.method == b.method);
        CHECK(choose_ordering(graph, {}, Factorization::llt, two).order == b.order);
    }
}

TEST_CASE("a user order is taken as it is, but for torn pairs") {
    AnalysisOptions options = with_method(OrderingMethod::user);
    options.user_order = {3, 1, 0, 4, 2};
    const Pattern graph = path_graph(5);
    CHECK(choose_ordering(graph, {}, Factorization::llt, options).order == options.user_order);
    const auto paired = choose_ordering(graph, {0, 4, 2, 3, 1}, Factorization::ldlt, options);
    CHECK(paired.order == std::vector<index_t>{3, 0, 1, 4, 2});
}

TEST_CASE("a wrong user order is refused with its position") {
    AnalysisOptions options = with_method(OrderingMethod::user);
    const Pattern graph = path_graph(4);
    options.user_order = {0, 1, 2};
    CHECK(message_of(graph, options).find("3 entries, the matrix 4") != std::string::npos);
    options.user_order = {0, 1, 4, 3};
    CHECK(message_of(graph, options).find("user_order[2] = 4") != std::string::npos);
    options.user_order = {0, -1, 2, 3};
    CHECK(message_of(graph, options).find("user_order[1] = -1") != std::string::npos);
    options.user_order = {0, 1, 2, 1};
    CHECK(message_of(graph, options).find("user_order[3] = 1 is already at position 1") != std::string::npos);
}

TEST_CASE("dense rows come last and do not hide a grid from nested dissection") {
    // A 14^3 grid of 27 points and three vertices joined to everything.
    Pattern grid = grid_graph(14, 14, 14, 1, true);
    const index_t n = grid.cols;
    Edges edges;
    for (index_t v = 0; v < n; ++v) {
        for (count_t p = grid.begin[v]; p < grid.begin[v + 1]; ++p) edges.emplace_back(v, grid.row[p]);
        for (index_t d = n; d < n + 3; ++d) edges.emplace_back(v, d);
    }
    const Pattern graph = graph_of(n + 3, edges);
    for (const OrderingMethod method :
         {OrderingMethod::nested_dissection, OrderingMethod::metis, OrderingMethod::scotch}) {
        const auto with = choose_ordering(graph, {}, Factorization::llt, with_method(method));
        const auto without = choose_ordering(grid, {}, Factorization::llt, with_method(method));
        for (index_t k = n; k < n + 3; ++k) CHECK(with.order[k] >= n);
        CHECK(with.candidates[0].factor_entries == without.candidates[0].factor_entries + 3 * n + 6);
    }
}
