// SPDX-License-Identifier: BSD-3-Clause
// The fronts of which a rank has all below: as a tree by themselves.
#include "frond/analysis/pieces.hpp"
#include "frond/analysis/analysis.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/generate.hpp"

#include <doctest/doctest.h>

using namespace frond;

namespace {

Analysis analysis_of(Factorization kind) {
    AnalysisOptions options;
    options.factorization = kind;
    options.tile_size = 32;
    options.workers = 8;  // small subtrees
    return *analyze(poisson3d<double>(16).matrix, options).analysis;
}

RankMapping dealt(const Analysis& analysis, index_t ranks) {
    RankMachine machine;
    machine.flops_per_second.assign(at(ranks), 1e9);
    const MessageRule rule{analysis.factorization, true, 8};
    return map_units(analysis.tree, analysis.mapping, analysis.cost.front_flops, machine, rule);
}

bool is_of(const RankMapping& mapping, index_t front, index_t rank) {
    return mapping.grid[at(front)].rank == std::vector<index_t>{rank};
}

/// By the definition: the front and all in its subtree.
bool is_in_branch(const Analysis& analysis, const RankMapping& mapping, index_t front, index_t rank) {
    for (index_t f = analysis.tree.first_descendant[at(front)]; f <= front; ++f)
        if (!is_of(mapping, f, rank)) return false;
    return true;
}

void check_front(const Analysis& whole, const Branches& branches, std::size_t k, index_t column) {
    const Analysis& forest = *branches.forest;
    const index_t f = branches.front[k];
    const Front &front = forest.tree.fronts[k], &in_tree = whole.tree.fronts[at(f)];
    CHECK(front.npiv == in_tree.npiv);
    CHECK(front.nfront == in_tree.nfront);
    CHECK(front.first_column == column);
    if (front.parent >= 0) CHECK(branches.front[at(front.parent)] == in_tree.parent);
    CHECK(branches.front[at(forest.tree.first_descendant[k])] == whole.tree.first_descendant[at(f)]);
    for (index_t r = 0; r < front.ncb(); ++r)
        CHECK(forest.tree.relative_rows[at(front.rows_begin + r)] ==
              whole.tree.relative_rows[at(in_tree.rows_begin + r)]);
    const count_t begin = forest.entry_map.front_begin[k], from = whole.entry_map.front_begin[at(f)];
    REQUIRE(forest.entry_map.front_begin[k + 1] - begin == whole.entry_map.front_begin[at(f) + 1] - from);
    for (count_t e = begin; e < forest.entry_map.front_begin[k + 1]; ++e) {
        CHECK(forest.entry_map.row[at(e)] == whole.entry_map.row[at(from + e - begin)]);
        CHECK(forest.entry_map.column[at(e)] == whole.entry_map.column[at(from + e - begin)]);
        CHECK(forest.entry_map.source[at(e)] == e);
    }
    const index_t grid = forest.mapping.grid_of_front[k], subtree = forest.mapping.subtree_of_front[k];
    CHECK((grid >= 0) == (whole.mapping.grid_of_front[at(f)] >= 0));
    if (grid >= 0)
        CHECK(forest.mapping.grids[at(grid)].cut == whole.mapping.grids[at(whole.mapping.grid_of_front[at(f)])].cut);
    if (subtree >= 0) {
        const Subtree& own = forest.mapping.subtrees[at(subtree)];
        CHECK(branches.front[at(own.root_front)] ==
              whole.mapping.subtrees[at(whole.mapping.subtree_of_front[at(f)])].root_front);
    }
}

}  // namespace

TEST_CASE("branches have all fronts of which a rank has all below, as a tree by themselves") {
    for (const Factorization kind : {Factorization::llt, Factorization::lu})
        for (const index_t ranks : {1, 2, 3}) {
            const Analysis analysis = analysis_of(kind);
            const RankMapping mapping = dealt(analysis, ranks);
            index_t others = analysis.tree.front_count();
            for (index_t rank = 0; rank < ranks; ++rank) {
                CAPTURE(rank);
                const Branches branches = branches_of(analysis, mapping, rank);
                REQUIRE_FALSE(branches.is_empty());
                std::vector<index_t> wanted;
                for (index_t f = 0; f < analysis.tree.front_count(); ++f)
                    if (is_in_branch(analysis, mapping, f, rank)) wanted.push_back(f);
                REQUIRE(branches.front == wanted);
                CHECK(fronts_of_branches(analysis.tree, mapping, rank) == wanted);
                index_t column = 0;
                for (std::size_t k = 0; k < branches.front.size(); ++k) {
                    check_front(analysis, branches, k, column);
                    column += branches.forest->tree.fronts[k].npiv;
                }
                CHECK(branches.forest->order == column);
                others -= static_cast<index_t>(wanted.size());
            }
            if (ranks == 1) CHECK(others == 0);
            if (ranks > 1) CHECK(others > 0);  // fronts above the branches
        }
}

TEST_CASE("a rank without a front has no branches") {
    const Analysis analysis = analysis_of(Factorization::llt);
    CHECK(branches_of(analysis, dealt(analysis, 1), 1).is_empty());
}
