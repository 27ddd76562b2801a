// SPDX-License-Identifier: BSD-3-Clause
// What each rank holds of an analysis.
#include "ranked/dealt/local_analysis.hpp"

#include "dealt_system.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/generate.hpp"
#include "shared_always.hpp"

#include <tuple>

using namespace frond;
using namespace frond::test;

namespace {

std::shared_ptr<const Analysis> many_units(const SparseMatrix<double>& a, Factorization kind) {
    AnalysisOptions options;
    options.deterministic = true;
    options.factorization = kind;
    options.tile_size = 32;
    return analyze(a, options).analysis;
}

/// Units in turn, so that most contribution blocks go to another rank.
RankMapping dealt_in_turn(const Analysis& analysis, index_t ranks) {
    std::vector<index_t> owner;
    for (index_t f = 0; f < analysis.tree.front_count(); ++f) {
        const index_t subtree = analysis.mapping.subtree_of_front[at(f)];
        owner.push_back((subtree >= 0 ? subtree : f) % ranks);
    }
    return mapping_of_owners(analysis.tree, analysis.mapping, owner, ranks);
}

/// And fronts on tiles shared by as many ranks as can.
RankMapping shared_fronts(const Analysis& analysis, index_t ranks) {
    const MessageRule rule{analysis.factorization, false, static_cast<count_t>(sizeof(double))};
    return share_all_fronts(analysis.tree, analysis.mapping, dealt_in_turn(analysis, ranks), rule);
}

using Rows = std::vector<index_t>;
Rows rows_of(const AssemblyTree& tree, const std::vector<index_t>& list, index_t f) {
    const Front& front = tree.fronts[at(f)];
    return {list.begin() + front.rows_begin, list.begin() + front.rows_begin + front.ncb()};
}

/// Whether a rank has a tile of the front.
bool has_part(const RankMapping& mapping, index_t f, index_t rank) {
    const auto& ranks = mapping.grid[at(f)].rank;
    return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

void check_rows(const AssemblyTree& whole, const AssemblyTree& local, const RankMapping& mapping, index_t rank) {
    index_t own = 0;
    for (index_t f = 0; f < whole.front_count(); ++f) {
        if (!has_part(mapping, f, rank)) continue;
        ++own;
        CHECK(rows_of(local, local.rows, f) == rows_of(whole, whole.rows, f));
        for (count_t c = whole.child_begin[at(f)]; c < whole.child_begin[at(f) + 1]; ++c) {
            const index_t child = whole.children[at(c)];
            CHECK(rows_of(local, local.relative_rows, child) == rows_of(whole, whole.relative_rows, child));
        }
    }
    CHECK(own > 0);
}

/// A rank makes the mapping of its part: messages are those of the whole, and blocks of which it has no rows are not cut.
void check_messages(const Analysis& whole, const Analysis& local, const RankMapping& mapping) {
    const RankMapping own = mapping_of_grids(local.tree, local.mapping, mapping.grid, mapping.ranks);
    const MessageRule rule{whole.factorization, true, static_cast<count_t>(sizeof(double))};
    using Facts = std::vector<std::tuple<MessageKind, index_t, index_t, index_t, index_t, count_t>>;
    const auto messages_of = [&](const AssemblyTree& tree, const RankMapping& of, index_t f) {
        Facts all;
        for_each_message(tree, of, rule, f, [&](const Message& m) {
            all.push_back({m.kind, m.source, m.destination, m.row, m.column, m.bytes});
        });
        return all;
    };
    for (index_t f = 0; f < whole.tree.front_count(); ++f)
        CHECK((messages_of(local.tree, own, f) == messages_of(whole.tree, mapping, f)));
    for (const Subtree& s : whole.mapping.subtrees) {
        const Front& root = local.tree.fronts[at(s.root_front)];
        const bool has_rows = root.rows_begin + root.ncb() <= static_cast<count_t>(local.tree.rows.size());
        const TileGrid& tiles = own.tiles[at(s.root_front)];
        CHECK((tiles.tiles() > tiles.own_tiles) == (has_rows && root.ncb() > 0));
    }
}

/// Every entry is in one part, and every part but the only one has less than all rows.
void check_parts(const Analysis& whole, const RankMapping& mapping) {
    count_t entries = 0;
    std::size_t rows = 0;
    for (index_t r = 0; r < mapping.ranks; ++r) {
        const Analysis local = detail::local_analysis(whole, mapping, r);
        entries += static_cast<count_t>(local.entry_map.row.size());
        rows = std::max(rows, local.tree.rows.size());
        CHECK(local.entry_map.front_begin.back() == static_cast<count_t>(local.entry_map.column.size()));
        CHECK(local.entry_map.source.empty());
        check_rows(whole.tree, local.tree, mapping, r);
        check_messages(whole, local, mapping);
    }
    CHECK(entries == static_cast<count_t>(whole.entry_map.row.size()));
    if (mapping.ranks == 1)
        CHECK(rows == whole.tree.rows.size());
    else
        CHECK(rows < whole.tree.rows.size());
}

}  // namespace

TEST_CASE("parts of an analysis have every entry once, and the rows of their fronts and of the children of these") {
    const std::shared_ptr<const Analysis> spd = many_units(poisson3d<double>(18).matrix, Factorization::llt),
                                          general = many_units(convdiff3d<double>(15).matrix, Factorization::lu);
    for (const index_t ranks : {1, 2, 3, 5})
        for (const std::shared_ptr<const Analysis>& whole : {spd, general}) {
            CAPTURE(ranks);
            check_parts(*whole, dealt_in_turn(*whole, ranks));
            check_parts(*whole, shared_fronts(*whole, ranks));
        }
}

TEST_CASE("ranks report what they hold of the analysis: rank 0 all of it, others less") {
    const SharedAlways shared;
    const SparseMatrix<double> a = poisson3d<double>(18).matrix;
    on_some_ranks([&](const SomeRanks& ranks) {
        AnalysisOptions options;
        options.deterministic = true;
        options.tile_size = 32;
        Solver<double> solver(ranks.session(), options);
        solver.factor(dealt(a, ranks).view());
        const std::vector<RankReport> parts = solver.rank_reports();
        for (std::size_t r = 1; r < parts.size(); ++r) {
            CHECK(parts[r].analysis_bytes > 0);
            CHECK(parts[r].analysis_bytes < parts[0].analysis_bytes);
        }
        check_solves(solver, a, ranks);
    });
}
