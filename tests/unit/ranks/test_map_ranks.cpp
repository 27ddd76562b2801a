// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"
#include "rank_trees.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <numeric>

using namespace frond;
using namespace frond::test;

namespace {

/// Groups lie within those of the parents, grids within groups, and what is below a front of one rank is that rank's.
void check_mapping(const AssemblyTree& tree, const RankMapping& mapping) {
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const RankInterval group = mapping.group[at(f)];
        const RankGrid grid = mapping.grid[at(f)];
        REQUIRE(group.count >= 1);
        REQUIRE(grid.rank.size() == at(grid.rows) * at(grid.cols));
        REQUIRE(!grid.rank.empty());
        for (const index_t rank : grid.rank) REQUIRE(group.contains(rank));
        const index_t parent = tree.fronts[at(f)].parent;
        const RankInterval above = parent < 0 ? RankInterval{0, mapping.ranks} : mapping.group[at(parent)];
        REQUIRE(above.contains(group.first));
        REQUIRE(above.contains(group.first + group.count - 1));
        const bool exchanges = mapping.is_shared(f) || parent < 0 || mapping.is_shared(parent);
        REQUIRE((mapping.tiles[at(f)].tiles() > 0) == exchanges);
        if (exchanges) REQUIRE(mapping.tiles[at(f)].cut.back() == tree.fronts[at(f)].nfront);
    }
}

/// Flops of each rank, shared fronts in equal parts.
std::vector<double> flops_of_ranks(const CostedTree& t, const RankMapping& mapping) {
    std::vector<double> flops(at(mapping.ranks), 0.0);
    for (index_t f = 0; f < t.tree.front_count(); ++f) {
        const std::vector<index_t> ranks = mapping.grid[at(f)].members();
        for (const index_t r : ranks) flops[at(r)] += t.cost.front_flops[at(f)] / static_cast<double>(ranks.size());
    }
    return flops;
}

/// A complete binary tree of fronts that all cost 1; fronts in postorder.
CostedTree binary_tree(index_t levels) {
    CostedTree t;
    std::vector<index_t> last_of_level(at(levels), -1);
    const auto add = [&](const auto& self, index_t level) -> index_t {
        index_t left = -1, right = -1;
        if (level + 1 < levels) left = self(self, level + 1), right = self(self, level + 1);
        Front front;
        front.first_column = t.tree.front_count();
        front.npiv = 1;
        front.nfront = level == 0 ? 1 : 2;
        front.rows_begin = static_cast<count_t>(t.tree.rows.size());
        if (level > 0) t.tree.rows.push_back(0), t.tree.relative_rows.push_back(0);
        t.tree.fronts.push_back(front);
        const index_t own = t.tree.front_count() - 1;
        t.tree.first_descendant.push_back(left < 0 ? own : t.tree.first_descendant[at(left)]);
        for (const index_t child : {left, right})
            if (child >= 0) t.tree.fronts[at(child)].parent = own;
        return own;
    };
    add(add, 0);
    t.tree.order = t.tree.front_count();
    t.tree.child_begin.push_back(0);
    for (index_t f = 0; f < t.tree.front_count(); ++f) {
        for (index_t c = 0; c < f; ++c)
            if (t.tree.fronts[at(c)].parent == f) t.tree.children.push_back(c);
        t.tree.child_begin.push_back(static_cast<count_t>(t.tree.children.size()));
    }
    t.cost.front_flops.assign(t.tree.fronts.size(), 1.0);
    return t;
}

}  // namespace

TEST_CASE("a grid's tree among 1 to 9 ranks") {
    const CostedTree t = tree_of_grid(14, Factorization::llt);
    const double all = std::accumulate(t.cost.front_flops.begin(), t.cost.front_flops.end(), 0.0);
    for (index_t ranks = 1; ranks <= 9; ++ranks) {
        CAPTURE(ranks);
        const RankMapping mapping = mapped(t, alike(ranks));
        check_mapping(t.tree, mapping);
        const std::vector<double> flops = flops_of_ranks(t, mapping);
        CHECK(is_near(std::accumulate(flops.begin(), flops.end(), 0.0), all,
                      rounding_bound<double>(ranks * t.tree.front_count())));  // positive terms, in other orders
        for (const double work : flops) CHECK(work > 0);
    }
}

TEST_CASE("a balanced tree is dealt in equal parts") {
    const CostedTree t = binary_tree(7);
    const RankMapping mapping = mapped(t, alike(8));
    check_mapping(t.tree, mapping);
    std::vector<index_t> fronts(8, 0);
    for (index_t f = 0; f < t.tree.front_count(); ++f)
        if (!mapping.is_shared(f)) ++fronts[at(mapping.grid[at(f)].rank[0])];
    for (const index_t own : fronts) CHECK(own == 15);
}

TEST_CASE("ranks get work in proportion to their rates") {
    const CostedTree t = binary_tree(10);
    RankMachine machine = alike(3);
    machine.flops_per_second = {4e9, 2e9, 2e9};
    const std::vector<double> flops = flops_of_ranks(t, mapped(t, machine));
    CHECK(flops[0] == doctest::Approx(512).epsilon(0.01));
    CHECK(flops[1] == doctest::Approx(256).epsilon(0.02));
    CHECK(flops[2] == doctest::Approx(256).epsilon(0.02));
}

TEST_CASE("more ranks than fronts, no front, fronts without work") {
    const CostedTree few = binary_tree(2);
    check_mapping(few.tree, mapped(few, alike(16)));
    CostedTree idle = binary_tree(4);
    std::fill(idle.cost.front_flops.begin(), idle.cost.front_flops.end(), 0.0);
    check_mapping(idle.tree, mapped(idle, alike(5)));
    CHECK(mapped(CostedTree(), alike(3)).group.empty());
}

TEST_CASE("large fronts are shared, small ones are not") {
    const CostedTree t = tree_of_grid(20, Factorization::llt);
    CostedTree large = t;
    const index_t root = large.tree.front_count() - 1;
    RankMachine machine = alike(8);
    CHECK(mapped(t, machine).grid[at(root)].members().size() == 1);
    large.tree.fronts[at(root)].npiv = large.tree.fronts[at(root)].nfront = 20000;
    large.cost.front_flops[at(root)] = 2.7e12;
    CHECK(mapped(large, machine).grid[at(root)].members().size() == 8);
    machine.message_seconds = 1e4;
    CHECK(mapped(large, machine).grid[at(root)].members().size() == 1);
}

TEST_CASE("forests of large fronts among 2 to 13 ranks, the same each time") {
    index_t shared = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const CostedTree t = RandomForest(seed, 1 + static_cast<index_t>(seed) % 3, 3).costed(Factorization::ldlt);
        for (const index_t ranks : {2, 3, 8, 13}) {
            CAPTURE(seed);
            CAPTURE(ranks);
            const RankMapping first = mapped(t, alike(ranks)), second = mapped(t, alike(ranks));
            check_mapping(t.tree, first);
            CHECK(first.group == second.group);
            CHECK(first.in_turn == second.in_turn);
            for (index_t f = 0; f < t.tree.front_count(); ++f) {
                CHECK(first.grid[at(f)].rank == second.grid[at(f)].rank);
                CHECK(first.tiles[at(f)].cut == second.tiles[at(f)].cut);
                shared += first.grid[at(f)].members().size() > 1;
            }
        }
    }
    CHECK(shared > 0);
}

TEST_CASE("what cannot be mapped is refused") {
    const CostedTree t = binary_tree(3);
    CHECK_THROWS_AS(mapped(t, alike(0)), InvalidArgument);
    RankMachine machine = alike(2);
    machine.flops_per_second[1] = 0;
    CHECK_THROWS_AS(mapped(t, machine), InvalidArgument);
    CHECK_THROWS_AS(map_ranks(t.tree, {1.0}, alike(2), {}), InvalidArgument);
}

TEST_CASE("quick ranks share no front whose panels would travel longer than one of them takes") {
    const CostedTree t = tree_of_grid(40, Factorization::llt);
    const index_t root = t.tree.front_count() - 1;
    REQUIRE(t.tree.fronts[at(root)].parent < 0);
    RankMachine machine;
    for (const auto& [flops_per_second, ranks] : {std::pair{3e11, std::size_t{2}}, std::pair{3e13, std::size_t{1}}}) {
        machine.flops_per_second = {flops_per_second, flops_per_second};
        const RankMapping mapping = map_ranks(t.tree, t.cost.front_flops, machine, t.rule());
        CHECK(mapping.is_shared(root));  // the ranks have parts of what is below it
        CHECK(mapping.grid[at(root)].members().size() == ranks);
    }
}
