// SPDX-License-Identifier: BSD-3-Clause
// The mapping does not depend on how many threads look for it.
#include "frond/base/error.hpp"
#include "rank_trees.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace frond;
using namespace frond::test;

namespace {

void check_same(const RankMapping& a, const RankMapping& b) {
    CHECK(a.group == b.group);
    CHECK(a.in_turn == b.in_turn);
    REQUIRE(a.grid.size() == b.grid.size());
    bool same = true;
    for (std::size_t f = 0; f < a.grid.size(); ++f)
        same &= a.grid[f].rows == b.grid[f].rows && a.grid[f].cols == b.grid[f].cols &&
                a.grid[f].rank == b.grid[f].rank && a.tiles[f].cut == b.tiles[f].cut;
    CHECK(same);
}

/// Empty where the budgets are refused.
RankMapping mapping_or_none(const CostedTree& t, const RankMachine& machine, index_t threads) {
    try {
        return map_ranks(t.tree, t.cost.front_flops, machine, t.rule(), threads);
    } catch (const MemoryBudgetExceeded&) {
        return {};
    }
}

}  // namespace

TEST_CASE("several threads find the mapping that one finds") {
    count_t in_turn = 0, refused = 0;
    for (const Factorization kind : {Factorization::llt, Factorization::lu})
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            const CostedTree t = RandomForest(seed, 1 + static_cast<index_t>(seed % 2), 3).costed(kind);
            for (const index_t ranks : {2, 4, 13})
                for (const double budget : {0.0, 1.3, 2.5}) {
                    RankMachine machine = alike(ranks);
                    const double all = static_cast<double>(t.cost.factor_entries) * 8 / ranks;
                    if (budget > 0) machine.budget_bytes.assign(at(ranks), static_cast<count_t>(budget * all));
                    const RankMapping alone = mapping_or_none(t, machine, 1);
                    in_turn += std::count(alone.in_turn.begin(), alone.in_turn.end(), 1);
                    refused += alone.group.empty();
                    for (const index_t threads : {2, 3, 8}) check_same(mapping_or_none(t, machine, threads), alone);
                }
        }
    CHECK(in_turn > 0);
    CHECK(refused > 0);
}

TEST_CASE("several threads refuse what one refuses, with the same numbers") {
    const CostedTree t = RandomForest(3, 1, 3).costed(Factorization::lu);
    RankMachine machine = alike(4);
    machine.budget_bytes.assign(4, 1000);
    const auto text = [&](index_t threads) {
        try {
            static_cast<void>(map_ranks(t.tree, t.cost.front_flops, machine, t.rule(), threads));
        } catch (const MemoryBudgetExceeded& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(text(1).find("may hold 1000") != std::string::npos);
    for (const index_t threads : {2, 8}) CHECK(text(threads) == text(1));
}
