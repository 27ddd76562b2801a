// SPDX-License-Identifier: BSD-3-Clause
// Which ranks stand where in the table of a front, and what that saves.
#include "rank_trees.hpp"

#include <doctest/doctest.h>

#include <numeric>

using namespace frond;
using namespace frond::test;

namespace {

/// Fronts one above the other, each with all its contribution rows in the next one.
CostedTree chain(const std::vector<index_t>& npiv, index_t top, Factorization kind) {
    CostedTree t;
    t.kind = kind;
    index_t order = top + std::accumulate(npiv.begin(), npiv.end(), 0);
    t.tree.order = order;
    t.tree.child_begin = {0};
    std::vector<index_t> pivots = npiv;
    pivots.push_back(top);
    for (std::size_t f = 0; f < pivots.size(); ++f) {
        const bool root = f + 1 == pivots.size();
        t.tree.fronts.push_back({t.tree.order - order, pivots[f], order, root ? -1 : static_cast<index_t>(f) + 1,
                                 static_cast<count_t>(t.tree.rows.size())});
        order -= pivots[f];
        for (index_t r = 0; r < order; ++r) t.tree.rows.push_back(r), t.tree.relative_rows.push_back(r);
        if (f > 0) t.tree.children.push_back(static_cast<index_t>(f) - 1);
        t.tree.child_begin.push_back(static_cast<count_t>(t.tree.children.size()));
        t.tree.first_descendant.push_back(0);
    }
    t.cost = predict_costs(t.tree, kind);
    return t;
}

count_t bytes_of(const CostedTree& t, const RankMapping& mapping, index_t front, MessageKind kind) {
    count_t bytes = 0;
    for_each_message(t.tree, mapping, t.rule(), front,
                     [&](const Message& m) { bytes += m.kind == kind ? m.bytes : 0; });
    return bytes;
}

/// Rank s places further on stands where a rank stood.
RankGrid shifted(const RankGrid& grid, index_t s) {
    const std::vector<index_t> ranks = grid.members();
    RankGrid result = grid;
    for (index_t& r : result.rank) {
        const auto place = std::find(ranks.begin(), ranks.end(), r) - ranks.begin();
        r = ranks[at(place + s) % ranks.size()];
    }
    return result;
}

RankGrid rows_and_columns(index_t rows, index_t cols) {
    RankGrid grid{rows, cols, {}};
    for (index_t r = 0; r < rows * cols; ++r) grid.rank.push_back(r);
    return grid;
}

}  // namespace

TEST_CASE("symmetric tables send less than rows and columns of ranks") {
    const CostedTree t = chain({}, 9000, Factorization::llt);
    const struct {
        index_t ranks, rows, cols;
        double less;
    } cases[] = {{3, 1, 3, 1.0}, {6, 2, 3, 0.9}, {8, 2, 4, 0.85}, {10, 2, 5, 0.85}, {15, 3, 5, 0.85}};
    for (const auto& c : cases) {
        CAPTURE(c.ranks);
        RankMapping mapping = mapped(t, alike(c.ranks));
        CHECK(mapping.grid[0].members().size() == at(c.ranks));
        const auto bytes = static_cast<double>(bytes_of(t, mapping, 0, MessageKind::lower_tile));
        const auto shares = predict_ranks(t.tree, t.cost.front_flops, mapping, t.rule());
        for (const RankPrediction& r : shares) CHECK(r.flops < 1.35 * t.cost.flops / c.ranks);
        mapping.grid[0] = rows_and_columns(c.rows, c.cols);
        CHECK(bytes <= c.less * static_cast<double>(bytes_of(t, mapping, 0, MessageKind::lower_tile)));
    }
}

TEST_CASE(
    "a large front of a symmetric kind is shared by any number of ranks, with fewer bytes than by rows and columns") {
    const CostedTree t = chain({}, 30000, Factorization::llt);
    const struct {
        index_t ranks, rows, cols;  // of the largest table with rows and columns
        double less;
    } cases[] = {{5, 2, 2, 0.9}, {7, 2, 3, 0.9}, {13, 3, 4, 0.8}, {17, 4, 4, 0.9}};
    for (const auto& c : cases) {
        CAPTURE(c.ranks);
        RankMapping mapping = mapped(t, alike(c.ranks));
        const RankGrid grid = mapping.grid[0];
        CHECK(grid.members().size() == at(c.ranks));
        for (index_t i = 0; i < grid.rows; ++i)
            for (index_t j = 0; j < i; ++j) CHECK(grid.owner(i, j) == grid.owner(j, i));
        const auto shares = predict_ranks(t.tree, t.cost.front_flops, mapping, t.rule());
        for (const RankPrediction& r : shares) CHECK(r.flops < 1.25 * t.cost.flops / c.ranks);
        const auto bytes = static_cast<double>(bytes_of(t, mapping, 0, MessageKind::lower_tile)) / c.ranks;
        mapping.grid[0] = rows_and_columns(c.rows, c.cols);
        const auto before = static_cast<double>(bytes_of(t, mapping, 0, MessageKind::lower_tile));
        CHECK(bytes <= c.less * before / (c.rows * c.cols));
    }
}

TEST_CASE("L U takes rows and columns of ranks") {
    const RankMapping mapping = mapped(chain({}, 9000, Factorization::lu), alike(8));
    CHECK(mapping.grid[0].rows == 2);
    CHECK(mapping.grid[0].cols == 4);
    CHECK(mapping.grid[0].members().size() == 8);
}

TEST_CASE("no cyclic shift of a table moves fewer contribution bytes, and without assignment more move") {
    count_t assigned = 0, in_order = 0;
    for (const Factorization kind : {Factorization::lu, Factorization::llt})
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const CostedTree t = RandomForest(seed, 1, 3).costed(kind);
            for (const index_t ranks : {2, 4, 6}) {
                CAPTURE(seed);
                CAPTURE(ranks);
                RankMapping mapping = mapped(t, alike(ranks));
                for (index_t f = 0; f < t.tree.front_count(); ++f) {
                    const RankGrid chosen = mapping.grid[at(f)];
                    const std::vector<index_t> members = chosen.members();
                    if (members.size() == 1) continue;
                    const count_t least = bytes_of(t, mapping, f, MessageKind::contribution);
                    for (index_t s = 0; s < static_cast<index_t>(members.size()); ++s) {
                        mapping.grid[at(f)] = shifted(chosen, s);
                        CHECK(least <= bytes_of(t, mapping, f, MessageKind::contribution));
                    }
                    // As the first occurrences in the table follow each other: ascending.
                    std::vector<index_t> place(at(ranks), -1);
                    std::size_t next = 0;
                    mapping.grid[at(f)] = chosen;
                    for (index_t& r : mapping.grid[at(f)].rank) {
                        if (place[at(r)] < 0) place[at(r)] = members[next++];
                        r = place[at(r)];
                    }
                    assigned += least;
                    in_order += bytes_of(t, mapping, f, MessageKind::contribution);
                    mapping.grid[at(f)] = chosen;
                }
            }
        }
    CHECK(assigned < 0.95 * in_order);
}

TEST_CASE("a chain of fronts keeps its contribution blocks where they are") {
    const CostedTree t = chain({1500, 1200}, 3000, Factorization::lu);
    const RankMapping mapping = mapped(t, alike(4));
    for (const index_t f : {0, 1, 2}) {
        CHECK(mapping.grid[at(f)].members().size() == 4);
        CHECK(bytes_of(t, mapping, f, MessageKind::contribution) == 0);
        CHECK(bytes_of(t, mapping, f, MessageKind::lower_tile) > 0);
    }
}

TEST_CASE("for several ranks large fronts on both sides of a separator stay apart") {
    const index_t k = 36;
    AnalysisOptions one, several;
    several.ranks = 2;
    std::vector<index_t> order = geometric_nested_dissection({k, k, k}, 1), same = order;
    const AssemblyTree merged = build_assembly_tree(grid_graph(k, k, k), order, {}, Factorization::llt, one),
                       apart = build_assembly_tree(grid_graph(k, k, k), same, {}, Factorization::llt, several);
    CHECK(merged.fronts.back().npiv > k * k);
    CHECK(apart.fronts.back().npiv == k * k);
    CHECK(apart.order == merged.order);
    CostedTree a, b;
    a.tree = merged, b.tree = apart;
    a.cost = predict_costs(merged, a.kind), b.cost = predict_costs(apart, b.kind);
    CHECK(b.cost.flops <= 1.001 * a.cost.flops);
    const auto bytes = [](const CostedTree& t) {
        count_t all = 0;
        for (const RankPrediction& r : predict_ranks(t.tree, t.cost.front_flops, mapped(t, alike(2)), t.rule()))
            all += r.sent_bytes;
        return static_cast<double>(all);
    };
    CHECK(bytes(b) < 0.8 * bytes(a));
}
