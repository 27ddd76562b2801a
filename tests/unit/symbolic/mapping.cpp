// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/front_panels.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/error.hpp"
#include "mapping_parts.hpp"
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

struct Mapped {
    AssemblyTree tree;
    CostModel cost;
    Mapping mapping;
    std::vector<std::uint8_t> pair_with_next;
};

Mapped map_graph(const Pattern& graph, std::vector<index_t> order, Factorization kind, const AnalysisOptions& options,
                 const std::vector<index_t>& partner = {}) {
    Mapped m;
    m.tree = build_assembly_tree(graph, order, partner, kind, options);
    m.cost = predict_costs(m.tree, kind);
    if (!partner.empty()) {
        m.pair_with_next.assign(order.size(), 0);
        for (std::size_t k = 0; k + 1 < order.size(); ++k) m.pair_with_next[k] = partner[order[k]] == order[k + 1];
    }
    m.mapping = map_tree(m.tree, m.cost, kind, m.pair_with_next, options);
    return m;
}

AnalysisOptions workers(index_t count) {
    AnalysisOptions options;
    options.workers = count;
    return options;
}

std::vector<index_t> dissected(index_t k) { return geometric_nested_dissection({k, k, k}, 1); }

/// Contribution stack of a subtree with every block listed.
count_t simulated_stack(const AssemblyTree& tree, const Subtree& subtree) {
    std::vector<index_t> live;
    count_t peak = 0;
    for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) {
        live.push_back(f);
        count_t sum = 0;
        for (index_t g : live) sum += count_t{tree.fronts[g].ncb()} * tree.fronts[g].ncb();
        peak = std::max(peak, sum);
        std::erase_if(live, [&](index_t g) { return tree.fronts[g].parent == f; });
    }
    return peak;
}

void check_subtree_sums(const Mapped& m, Factorization kind) {
    for (const Subtree& subtree : m.mapping.subtrees) {
        double flops = 0;
        count_t factors = 0;
        for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) {
            flops += m.cost.front_flops[f];
            factors += front_panels(m.tree.fronts[f], kind).size;
        }
        REQUIRE(subtree.flops == flops);  // integers below 2^53: exact
        REQUIRE(subtree.factor_scalars == factors);
        REQUIRE(subtree.stack_scalars == simulated_stack(m.tree, subtree));
    }
}

}  // namespace

TEST_CASE("every front is in one subtree or on one grid of tiles") {
    for (const auto& [name, graph] : assorted_graphs())
        for (const index_t count : {1, 2, 16}) {
            CAPTURE(name);
            std::vector<index_t> order(graph.cols);
            std::iota(order.begin(), order.end(), 0);
            const Mapped m = map_graph(graph, order, Factorization::lu, workers(count));
            CHECK(wrong_mapping(m.tree, m.mapping, {}) == "");
            check_subtree_sums(m, Factorization::lu);
            CHECK(m.mapping.workers == count);
        }
}

TEST_CASE("a grid in three dimensions has tiles on top and balanced subtrees below") {
    const Pattern graph = grid_graph(22, 22, 22);
    const Mapped m = map_graph(graph, dissected(22), Factorization::lu, workers(4));
    CHECK(wrong_mapping(m.tree, m.mapping, {}) == "");
    check_subtree_sums(m, Factorization::lu);
    CHECK(m.mapping.grids.size() >= 3);
    CHECK(m.mapping.subtrees.size() >= 8);
    for (const Subtree& subtree : m.mapping.subtrees) CHECK(subtree.flops < m.cost.flops / 8);
    CHECK(m.mapping.subtree_of_front.back() == -1);
    CHECK(m.cost.peak_scalars_parallel >= m.cost.peak_scalars_sequential);

    for (index_t f = 0; f < m.tree.front_count(); ++f) {
        double path = 0;
        for (index_t g = f; g >= 0; g = m.tree.fronts[g].parent) path += m.cost.front_flops[g];
        CHECK(m.mapping.bottom_level_flops[f] == path);
    }
}

TEST_CASE("the deterministic cut does not see the number of workers") {
    const Pattern graph = grid_graph(18, 18, 18);
    AnalysisOptions options = workers(2);
    options.deterministic = true;
    const Mapped two = map_graph(graph, dissected(18), Factorization::llt, options);
    options.workers = 64;
    const Mapped many = map_graph(graph, dissected(18), Factorization::llt, options);
    CHECK(two.mapping.subtree_of_front == many.mapping.subtree_of_front);
    REQUIRE(two.mapping.grids.size() == many.mapping.grids.size());
    for (std::size_t g = 0; g < two.mapping.grids.size(); ++g)
        CHECK(two.mapping.grids[g].cut == many.mapping.grids[g].cut);
    CHECK(two.cost.peak_scalars_parallel == many.cost.peak_scalars_parallel);
    CHECK(two.mapping.workers == 8);
}

TEST_CASE("small matrices, chains and dust become few tasks") {
    const auto natural = [](index_t n) {
        std::vector<index_t> order(n);
        std::iota(order.begin(), order.end(), 0);
        return order;
    };
    SUBCASE("a small grid is one task") {
        const Mapped m = map_graph(grid_graph(12, 12, 1), natural(144), Factorization::llt, workers(16));
        CHECK(m.mapping.subtrees.size() == 1);
        CHECK(m.mapping.grids.empty());
    }
    SUBCASE("ten thousand diagonal entries are one task") {
        const Mapped m = map_graph(graph_of(10000, {}), natural(10000), Factorization::llt, workers(16));
        CHECK(m.mapping.subtrees.size() == 1);
        CHECK(m.mapping.subtrees[0].root_front == m.tree.front_count() - 1);
    }
    SUBCASE("a narrow band, which has no parallelism, is not taken apart") {
        Edges edges;
        for (index_t i = 0; i < 20000; ++i)
            for (index_t j = std::max(0, i - 40); j < i; ++j) edges.emplace_back(i, j);
        const Mapped m = map_graph(graph_of(20000, edges), natural(20000), Factorization::lu, workers(2));
        CHECK(m.cost.flops > 4e7);
        CHECK(m.mapping.subtrees.size() == 1);
        CHECK(m.mapping.grids.empty());
    }
    SUBCASE("blocks are bundled up to a worker's piece") {
        const Pattern block = grid_graph(10, 10, 10);
        const Pattern graph = side_by_side(std::vector<Pattern>(40, block));
        const Mapped m = map_graph(graph, natural(graph.cols), Factorization::lu, workers(2));
        CHECK(wrong_mapping(m.tree, m.mapping, {}) == "");
        check_subtree_sums(m, Factorization::lu);
        CHECK(m.mapping.subtrees.size() >= 4);
        CHECK(m.mapping.subtrees.size() <= 40);
    }
    SUBCASE("nothing at all") {
        const Mapped m = map_graph(graph_of(0, {}), {}, Factorization::lu, workers(2));
        CHECK(m.mapping.subtrees.empty());
        CHECK(m.cost.peak_scalars_parallel == 0);
    }
}

TEST_CASE("tiles: about the size asked for, of equal parts, no pair cut") {
    const Pattern graph = grid_graph(9, 9, 9, 3, true);
    std::vector<index_t> partner(graph.cols);
    std::iota(partner.begin(), partner.end(), 0);
    for (index_t v = 0; v + 1 < graph.cols; v += 3) std::swap(partner[v], partner[v + 1]);
    for (const index_t tile : {1, 2, 7, 64, 0}) {
        CAPTURE(tile);
        AnalysisOptions options = workers(8);
        options.tile_size = tile;
        const Mapped m =
            map_graph(graph, geometric_nested_dissection({9, 9, 9}, 3), Factorization::ldlt, options, partner);
        REQUIRE(!m.mapping.grids.empty());
        CHECK(wrong_mapping(m.tree, m.mapping, m.pair_with_next) == "");
        for (const TileGrid& grid : m.mapping.grids)
            for (index_t t = 0; tile > 0 && t < grid.tiles(); ++t) CHECK(grid.size(t) <= tile + tile / 4 + 1);
    }
    AnalysisOptions options;
    options.tile_size = -1;
    CHECK_THROWS_AS(map_graph(path_graph(3), {0, 1, 2}, Factorization::lu, options), InvalidArgument);
}

TEST_CASE("many workers take large fronts in tiles that one thread submits as soon as they work them off") {
    const auto tiles_of = [](index_t order, index_t count) {
        AssemblyTree tree;
        tree.order = order;
        tree.fronts = {{0, order, order, -1, 0}};
        tree.first_descendant = {0};
        tree.child_begin = {0, 0};
        CostModel cost = predict_costs(tree, Factorization::llt);
        const Mapping mapping = map_tree(tree, cost, Factorization::llt, {}, workers(count));
        REQUIRE(mapping.grids.size() == 1);
        return mapping.grids.front().tiles();
    };
    CHECK(tiles_of(4096, 10) == 19);  // of 224, by the critical path
    CHECK(tiles_of(4096, 64) == 11);  // of 384, by the submission
    CHECK(tiles_of(1024, 64) == 8);  // of 128, an eighth of the front
}

TEST_CASE("with few workers the time of submission changes no tile") {
    TreeCut without;
    without.operations_of_submission = 0;
    for (index_t count = 1; count <= 2; ++count)
        for (index_t order = 1; order <= 20000; order += 7)
            REQUIRE(tile_size_of(order, count, 0, {}) == tile_size_of(order, count, 0, without));
    CHECK(tile_size_of(4096, 64, 0, {}) > tile_size_of(4096, 64, 0, without));
}

TEST_CASE("a tuned cut: tiles within its bounds, fewer subtrees a worker, larger tiles for slower submission") {
    const Pattern graph = grid_graph(16, 16, 16);
    const auto mapped = [&](const TreeCut& cut, index_t count = 2, index_t gpus = 0) {
        AnalysisOptions options = workers(count);
        options.tree_cut = cut;
        options.cut_for_gpus = gpus;
        Mapped m = map_graph(graph, dissected(16), Factorization::lu, options);
        CHECK(wrong_mapping(m.tree, m.mapping, {}) == "");
        return m.mapping;
    };
    const auto largest_tile = [](const Mapping& mapping) {
        index_t largest = 0;
        for (const TileGrid& grid : mapping.grids)
            for (index_t t = 0; t < grid.tiles(); ++t) largest = std::max(largest, grid.size(t));
        return largest;
    };
    TreeCut small, few, slow, of_card;
    small.smallest_tile = small.largest_tile = 32;
    few.subtrees_per_worker = 1;
    slow.operations_of_submission = 1e9;
    slow.largest_tile = 1024;
    of_card.card_tile = 100;
    REQUIRE(largest_tile(mapped({})) > 40);
    CHECK(largest_tile(mapped(small)) <= 40);
    CHECK(mapped(few).subtrees.size() < mapped({}).subtrees.size());
    CHECK(tile_size_of(4096, 64, 0, slow) == 512);  // an eighth of the front
    CHECK(tile_size_of(4096, 64, 1, of_card) == 100);
    AnalysisOptions repeatable;
    repeatable.deterministic = true;
    const Mapped as_shipped = map_graph(graph, dissected(16), Factorization::lu, repeatable);
    repeatable.tree_cut = small;
    const Mapped as_tuned = map_graph(graph, dissected(16), Factorization::lu, repeatable);
    CHECK(largest_tile(as_tuned.mapping) == largest_tile(as_shipped.mapping));
}

TEST_CASE("a cut that cannot be is refused") {
    for (const TreeCut& cut : {TreeCut{6, 0, 10}, TreeCut{6, 64, 32}, TreeCut{0}, TreeCut{6, 128, 384, 0},
                               TreeCut{6, 128, 384, 1024, 0}, TreeCut{6, 128, 384, 1024, 16, -1}}) {
        AnalysisOptions options;
        options.tree_cut = cut;
        CHECK_THROWS_AS(map_graph(path_graph(3), {0, 1, 2}, Factorization::lu, options), InvalidArgument);
    }
}

TEST_CASE("no chunk of factors above 256 MiB") {
    // A dense trailing block of 6000 below a chain: its factor alone exceeds the limit.
    const index_t n = 6000;
    AssemblyTree tree;
    tree.order = n;
    tree.fronts = {{0, n, n, -1, 0}};
    tree.first_descendant = {0};
    tree.child_begin = {0, 0};
    CostModel cost = predict_costs(tree, Factorization::lu);
    const Mapping mapping = map_tree(tree, cost, Factorization::lu, {}, workers(1));
    CHECK(mapping.subtrees.empty());
    CHECK(wrong_mapping(tree, mapping, {}) == "");
    CHECK(cost.peak_scalars_parallel == front_panels(tree.fronts[0], Factorization::lu).size);
}
