// SPDX-License-Identifier: BSD-3-Clause
// Ranks that change places in fronts, or in all that is below one.
#include "balance_ranks.hpp"
#include "rank_trees.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace frond;
using namespace frond::test;

namespace {

/// A tree whose fronts are on all ranks, with subtrees in turn.
struct SharedTree {
    CostedTree t;
    Mapping mapping;
    RankMapping units;
    MessageRule rule;

    SharedTree(CostedTree tree, index_t tile_size, index_t ranks)
        : t(std::move(tree)), mapping(mapping_on_tiles(t.tree, tile_size)), rule{t.kind, true, 8} {
        std::vector<index_t> owner;
        for (index_t f = 0; f < t.tree.front_count(); ++f) owner.push_back(f % ranks);
        units = share_all_fronts(t.tree, mapping, mapping_of_owners(t.tree, mapping, owner, ranks), rule);
    }

    RankMapping with(std::vector<RankGrid> grids) const {
        return mapping_of_grids(t.tree, mapping, std::move(grids), units.ranks);
    }
    std::vector<RankPrediction> predicted(const std::vector<RankGrid>& grids) const {
        return predict_ranks(t.tree, t.cost.front_flops, with(grids), rule);
    }
    std::vector<RankGrid> balanced() const {
        return balanced_ranks(t.tree, t.cost.front_flops, with(units.grid), alike(units.ranks), rule);
    }
};

template <class T>
T most(const std::vector<RankPrediction>& ranks, T RankPrediction::*field) {
    T largest = 0;
    for (const RankPrediction& r : ranks) largest = std::max(largest, r.*field);
    return largest;
}

count_t sent(const std::vector<RankPrediction>& ranks) {
    count_t sum = 0;
    for (const RankPrediction& r : ranks) sum += r.sent_bytes;
    return sum;
}

/// Two children with two leaves each, and a root; half of the rows of a front are the first ones of its parent.
CostedTree tree_of_leaves(const std::vector<double>& leaf_flops) {
    CostedTree t;
    t.kind = Factorization::lu;
    t.tree.order = 60;
    const std::vector<index_t> parents{2, 2, 6, 5, 5, 6, -1};
    for (index_t f = 0; f < 7; ++f) {
        const index_t npiv = parents[at(f)] < 0 ? 12 : 6;
        t.tree.fronts.push_back({6 * f, npiv, 12, parents[at(f)], static_cast<count_t>(t.tree.rows.size())});
        for (index_t r = npiv; r < 12; ++r) t.tree.rows.push_back(r), t.tree.relative_rows.push_back(r - npiv);
    }
    t.tree.first_descendant = {0, 1, 0, 3, 4, 3, 0};
    t.tree.child_begin = {0, 0, 0, 2, 2, 2, 4, 6};
    t.tree.children = {0, 1, 3, 4, 2, 5};
    t.cost.front_flops = {leaf_flops[0], leaf_flops[1], 1, leaf_flops[2], leaf_flops[3], 1, 1};
    return t;
}

}  // namespace

TEST_CASE("loads of ranks are those predicted, also when ranks have changed places") {
    for (const Factorization kind : {Factorization::llt, Factorization::lu}) {
        const SharedTree s(tree_of_grid(8, kind), 9, 3);
        const RankMachine machine = alike(3);
        RankLoads loads(s.t.tree, s.t.cost.front_flops, s.with(s.units.grid), machine, s.rule);
        REQUIRE(loads.shared_fronts().size() > 4);
        for (std::size_t k = 0; k < loads.shared_fronts().size(); ++k) {
            const auto number = static_cast<index_t>(k);
            loads.exchange({0, loads.shared_fronts()[k], k % 2 == 0, number % 3, (number + 1 + number / 3 % 2) % 3});
            const std::vector<RankPrediction> ranks = s.predicted(RankLoads(loads).grids());
            for (std::size_t r = 0; r < ranks.size(); ++r) {
                CHECK(loads.received()[r] == static_cast<double>(ranks[r].received_bytes));
                CHECK(loads.seconds()[r] * machine.flops_per_second[r] == doctest::Approx(ranks[r].flops));
            }
        }
    }
}

TEST_CASE("what would change is what changes within fronts") {
    const SharedTree s(tree_of_grid(8, Factorization::llt), 9, 3);
    RankLoads loads(s.t.tree, s.t.cost.front_flops, s.with(s.units.grid), alike(3), s.rule);
    for (const index_t f : loads.shared_fronts())
        for (const bool is_below : {false, true}) {
            const RankExchange e{0, f, is_below, 0, 2};
            const double before = loads.seconds()[0], more = loads.more_seconds(e);
            loads.exchange(e);
            CHECK(loads.seconds()[0] == doctest::Approx(before + more));
            loads.exchange(e);
            CHECK(loads.seconds()[0] == doctest::Approx(before));
        }
}

TEST_CASE("the larger children do not all stay with one rank") {
    SharedTree s(tree_of_leaves({5e3, 4e3, 3e3, 1e3}), 6, 2);
    for (const index_t f : {0, 3}) s.units.grid[at(f)] = {1, 1, {1}};
    for (const index_t f : {1, 4}) s.units.grid[at(f)] = {1, 1, {0}};
    for (const index_t f : {2, 5, 6}) s.units.grid[at(f)] = {1, 2, {1, 0}};
    CHECK(most(s.predicted(s.units.grid), &RankPrediction::flops) > 8e3);
    CHECK(most(s.predicted(s.balanced()), &RankPrediction::flops) < 7.01e3);  // 4 and 3 of 13, and the fronts above
}

TEST_CASE("the rank with most has less, or receives less, for few more bytes") {
    index_t less_work = 0, fewer_bytes = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
        for (const index_t ranks : {2, 3, 5}) {
            CAPTURE(seed);
            CAPTURE(ranks);
            const Factorization kind = seed % 2 == 0 ? Factorization::llt : Factorization::lu;
            const SharedTree s(RandomForest(seed, 1 + static_cast<index_t>(seed) % 3, 3).costed(kind), 250, ranks);
            const std::vector<RankGrid> grids = s.balanced(), again = s.balanced();
            const std::vector<RankPrediction> before = s.predicted(s.units.grid), after = s.predicted(grids);
            const double work = most(before, &RankPrediction::flops);
            CHECK(most(after, &RankPrediction::flops) <= 1.021 * work);
            CHECK(static_cast<double>(sent(after)) <= 1.031 * static_cast<double>(sent(before)));
            less_work += most(after, &RankPrediction::flops) < 0.99 * work;
            fewer_bytes += most(after, &RankPrediction::received_bytes) < most(before, &RankPrediction::received_bytes);
            for (std::size_t f = 0; f < grids.size(); ++f) {
                CHECK(grids[f].rank == again[f].rank);
                CHECK(grids[f].members().size() == s.units.grid[f].members().size());
                CHECK(grids[f].rank.size() == s.units.grid[f].rank.size());
            }
        }
    CHECK(less_work > 4);
    CHECK(fewer_bytes > 4);
}

TEST_CASE("ranks without a part get none") {
    SharedTree s(tree_of_leaves({5e3, 4e3, 3e3, 1e3}), 6, 3);
    for (const index_t f : {0, 1, 2}) s.units.grid[at(f)] = {1, 1, {0}};
    for (const index_t f : {3, 4, 5}) s.units.grid[at(f)] = {1, 1, {1}};
    s.units.grid[6] = {1, 2, {0, 1}};
    for (const RankGrid& grid : s.balanced())
        for (const index_t rank : grid.rank) CHECK(rank < 2);
}
