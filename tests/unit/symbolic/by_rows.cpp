// SPDX-License-Identifier: BSD-3-Clause
// Steps of an analysis whose graph is in several parts, against those of the whole graph.
#include "../../../analysis/symbolic/forest.hpp"
#include "frond/analysis/distributed_steps.hpp"
#include "random_order.hpp"
#include "test_graphs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// Rows of some vertices, as rows_by_position takes them.
struct SomeRows {
    std::vector<index_t> vertex;
    std::vector<count_t> begin{0};
    std::vector<index_t> neighbour;
};

/// Vertex v is in part (v * 7) % parts, so that parts are no intervals.
std::vector<SomeRows> dealt_rows(const Pattern& graph, index_t parts) {
    std::vector<SomeRows> all(static_cast<std::size_t>(parts));
    for (index_t v = 0; v < graph.cols; ++v) {
        SomeRows& part = all[static_cast<std::size_t>((v * 7) % parts)];
        part.vertex.push_back(v);
        part.neighbour.insert(part.neighbour.end(), graph.row.begin() + graph.begin[v],
                              graph.row.begin() + graph.begin[v + 1]);
        part.begin.push_back(static_cast<count_t>(part.neighbour.size()));
    }
    return all;
}

Pattern rows_of(const SomeRows& part, const std::vector<index_t>& position) {
    return rows_by_position(part.vertex, part.begin, part.neighbour, position);
}

std::vector<Pattern> graphs() {
    return {grid_graph(9, 8, 1), path_graph(12), random_graph(60, 90, 3), random_graph(200, 150, 4), path_graph(1)};
}

CountedTree tree_by_parts(const Pattern& graph, const std::vector<index_t>& order, index_t parts) {
    const std::vector<SomeRows> all_parts = dealt_rows(graph, parts);
    const std::vector<index_t> position = inverse_permutation(order);
    std::vector<index_t> parent(order.size(), -1);
    for (const SomeRows& part : all_parts)
        parent = merged_elimination_trees(parent, elimination_tree_of_rows(rows_of(part, position)));
    CountedTree counted;
    counted.tree = postordered(order, parent);
    std::vector<count_t> delta(order.size(), 0);
    for (const SomeRows& part : all_parts) {
        const std::vector<count_t> mine = deltas_of_rows(rows_of(part, counted.tree.position), counted.tree);
        std::transform(mine.begin(), mine.end(), delta.begin(), delta.begin(), std::plus<>());
    }
    counted.count = counts_of_deltas(delta, counted.tree);
    return counted;
}

/// What each column of L has below the diagonal in A, by position.
Pattern columns_by_position(const Pattern& graph, const std::vector<index_t>& order) {
    const SomeRows all = dealt_rows(graph, 1).front();
    return transposed(rows_of(all, inverse_permutation(order)));
}

bool is_below(const AssemblyTree& tree, index_t f, index_t root) {
    return f <= root && f >= tree.first_descendant[static_cast<std::size_t>(root)];
}

}  // namespace

TEST_CASE("tree and counts of columns from rows in parts are those of the whole graph") {
    for (const Pattern& graph : graphs())
        for (const index_t parts : {1, 3, 5}) {
            CAPTURE(graph.cols);
            CAPTURE(parts);
            const std::vector<index_t> order = random_order(graph.cols, 17);
            const CountedTree whole = counted_tree(graph, {}, order), in_parts = tree_by_parts(graph, order, parts);
            CHECK(in_parts.tree.order == whole.tree.order);
            CHECK(in_parts.tree.position == whole.tree.position);
            CHECK(in_parts.tree.parent == whole.tree.parent);
            CHECK(in_parts.count == whole.count);
        }
}

TEST_CASE(
    "fronts of counted columns are those of the analysis, and their rows can be listed in any parts of the tree") {
    AnalysisOptions options;
    options.amalgamation_zeros = 0.05;  // without merged leaves, which need the graph
    for (const Pattern& graph : graphs()) {
        CAPTURE(graph.cols);
        std::vector<index_t> order = random_order(graph.cols, 5);
        CountedTree counted = tree_by_parts(graph, order, 3);
        const AssemblyTree whole = build_assembly_tree(graph, order, {}, Factorization::llt, options);
        FrontsOfColumns fronts = fronts_of_columns(std::move(counted), Factorization::llt, options);
        CHECK(fronts.order == order);
        REQUIRE(fronts.tree.front_count() == whole.front_count());
        // One half of the tree first, as if from another process, then the rest.
        const Pattern columns = columns_by_position(graph, order);
        const index_t root = whole.front_count() / 2;
        std::vector<index_t> below, rest;
        for (index_t f = 0; f < whole.front_count(); ++f) (is_below(whole, f, root) ? below : rest).push_back(f);
        list_rows_of(below, columns, fronts.tree);
        list_rows_of(rest, columns, fronts.tree);
        list_relative_rows(std::vector<bool>(whole.fronts.size(), true), fronts.tree);
        for (index_t f = 0; f < whole.front_count(); ++f) {
            const auto at = static_cast<std::size_t>(f);
            const Front &is = fronts.tree.fronts[at], &want = whole.fronts[at];
            REQUIRE(is.ncb() == want.ncb());
            CHECK(is.first_column == want.first_column);
            CHECK(is.parent == want.parent);
            const auto same = [&](const std::vector<index_t>& a, const std::vector<index_t>& b) {
                return std::equal(a.begin() + is.rows_begin, a.begin() + is.rows_begin + is.ncb(),
                                  b.begin() + want.rows_begin);
            };
            CHECK(same(fronts.tree.rows, whole.rows));
            CHECK(same(fronts.tree.relative_rows, whole.relative_rows));
        }
    }
}
