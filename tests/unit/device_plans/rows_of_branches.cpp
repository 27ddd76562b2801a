// SPDX-License-Identifier: BSD-3-Clause
// Where the rows of a tree are for solves on a device, and those of branches, which know their rows by their parents alone.
#include "frond/analysis/analysis.hpp"
#include "frond/analysis/pieces.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/generate.hpp"
#include "solve/vector_layout.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace frond;

namespace {

std::shared_ptr<const Analysis> some_analysis() {
    AnalysisOptions options;
    options.tile_size = 32;
    options.workers = 8;  // small subtrees
    return analyze(poisson3d<double>(16).matrix, options).analysis;
}

/// The branches of the first of some ranks.
Branches some_branches(const Analysis& analysis) {
    RankMachine machine;
    machine.flops_per_second.assign(3, 1e9);
    const MessageRule rule{analysis.factorization, true, 8};
    return branches_of(analysis, map_units(analysis.tree, analysis.mapping, analysis.cost.front_flops, machine, rule),
                       0);
}

index_t front_of(const AssemblyTree& tree, index_t position) {
    index_t f = 0;
    while (tree.fronts[at(f)].first_column + tree.fronts[at(f)].npiv <= position) ++f;
    return f;
}

}  // namespace

TEST_CASE("contribution rows of a tree have the positions of its analysis") {
    const std::shared_ptr<const Analysis> analysis = some_analysis();
    const AssemblyTree& tree = analysis->tree;
    const gpu::VectorLayout layout = gpu::lay_out_vectors(tree);
    const gpu::RowTables tables = gpu::row_tables(tree, layout);
    CHECK(layout.outside == 0);
    CHECK(tables.position.size() == at(layout.rows));
    CHECK(tables.pull.size() == tree.rows.size());
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[at(f)];
        const index_t* const position = tables.position.data() + layout.first_row[at(f)];
        for (index_t r = 0; r < front.npiv; ++r) CHECK(position[r] == front.first_column + r);
        for (index_t r = 0; r < front.ncb(); ++r)
            CHECK(position[front.npiv + r] == ~tree.rows[at(front.rows_begin + r)]);
    }
}

TEST_CASE("roots of branches leave rows behind those of all fronts") {
    const std::shared_ptr<const Analysis> analysis = some_analysis();
    const AssemblyTree& tree = analysis->tree;
    const Branches branches = some_branches(*analysis);
    REQUIRE(!branches.is_empty());
    const AssemblyTree& forest = branches.forest->tree;
    const gpu::VectorLayout layout = gpu::lay_out_vectors(forest);
    const gpu::RowTables tables = gpu::row_tables(forest, layout);
    // What is outside, by its position in the tree, root after root.
    std::vector<index_t> outside;
    count_t roots = 0;
    for (index_t k = 0; k < forest.front_count(); ++k) {
        const Front& front = tree.fronts[at(branches.front[at(k)])];
        if (forest.fronts[at(k)].parent >= 0) continue;
        ++roots;
        for (index_t r = 0; r < front.ncb(); ++r) {
            const std::uint32_t row =
                static_cast<std::uint32_t>(layout.rows) + static_cast<std::uint32_t>(outside.size());
            REQUIRE(tables.pull_begin[row + 1] - tables.pull_begin[row] == 1);
            CHECK(tables.pull[tables.pull_begin[row]] == layout.first_row[at(k)] + at(front.npiv + r));
            CHECK(tables.position[row] == ~(branches.forest->order + static_cast<index_t>(outside.size())));
            outside.push_back(tree.rows[at(front.rows_begin + r)]);
        }
    }
    CHECK(roots > 0);
    REQUIRE(layout.outside == static_cast<count_t>(outside.size()));
    CHECK(layout.outside > 0);
    for (index_t k = 0; k < forest.front_count(); ++k) {
        const Front& front = tree.fronts[at(branches.front[at(k)])];
        for (index_t r = 0; r < front.ncb(); ++r) {
            const index_t in_tree = tree.rows[at(front.rows_begin + r)];
            const index_t position = ~tables.position[layout.first_row[at(k)] + at(front.npiv + r)];
            if (position >= branches.forest->order) {
                CHECK(outside[at(position - branches.forest->order)] == in_tree);
                continue;
            }
            const index_t f = front_of(forest, position);
            const index_t first = tree.fronts[at(branches.front[at(f)])].first_column;
            CHECK(in_tree - first == position - forest.fronts[at(f)].first_column);
        }
    }
}
