// SPDX-License-Identifier: BSD-3-Clause
// All messages of plans, on as many ranks as there are: what arrives, how much, and what is left when one rank stops.
#include "plan_runner.hpp"

using namespace frond;
using namespace frond::test;

namespace {

struct Planned {
    CostedTree tree;
    RankMapping mapping;

    /// Fronts that several ranks share on tables of all ranks of their groups, in tiles of `tile` columns, so that all
    /// kinds of messages occur.
    Planned(index_t grid, Factorization kind, index_t tile) : tree(tree_of_grid(grid, kind)) {
        mapping = mapped(tree, alike(world_size()));
        for (index_t f = 0; f < tree.tree.front_count(); ++f) {
            if (mapping.tiles[at(f)].tiles() == 0) continue;
            mapping.tiles[at(f)] = small_tiles(tree.tree.fronts[at(f)], tile);
            if (mapping.is_shared(f)) mapping.grid[at(f)] = table_of(mapping.group[at(f)], f);
        }
    }
    /// Two rows of ranks from four on; another rank begins in every front.
    static RankGrid table_of(const RankInterval& group, index_t front) {
        RankGrid grid;
        grid.rows = group.count >= 4 ? 2 : 1;
        grid.cols = group.count / grid.rows;
        grid.rank.clear();
        for (index_t k = 0; k < grid.rows * grid.cols; ++k)
            grid.rank.push_back(group.first + (k + front) % group.count);
        return grid;
    }
    /// Planned for this rank, and that there is something.
    detail::MessageCounts counts() const {
        const RankPrediction p =
            predict_ranks(tree.tree, tree.cost.front_flops, mapping, tree.rule())[at(world_rank())];
        return {p.sent_messages, p.received_messages, p.sent_bytes, p.received_bytes};
    }
    std::vector<index_t> units_with_messages() const {
        std::vector<index_t> units;
        for (index_t f = 0; f < tree.tree.front_count(); ++f)
            if (mapping.is_shared(f)) units.push_back(f);
        return units;
    }
};

constexpr Factorization kinds[] = {Factorization::llt, Factorization::ldlt, Factorization::lu};

}  // namespace

TEST_SUITE("plan") {
    TEST_CASE("every message of the plan arrives with its contents, and as many bytes as predicted") {
        Door door;
        std::int64_t call = 0;
        for (const Factorization kind : kinds)
            for (const std::uint64_t delays : {0, 1}) {
                const Planned planned(10, kind, 24);
                CAPTURE(static_cast<int>(kind));
                CAPTURE(delays);
                PlanRun run;
                run.delays = delays;
                run.call = call++ % 16;
                const PlanResult result = run_plan(door, planned.tree, planned.mapping, run);
                CHECK_FALSE(result.failed);
                CHECK(result.wrong_messages == 0);
                CHECK(result.counts == planned.counts());
                CHECK(sum_over_ranks(result.counts.sent_messages) > 20);
                MESSAGE(sum_over_ranks(result.counts.sent_messages), " messages, units ", planned.units_with_messages().size());
            }
    }

    TEST_CASE("a mapping as it is dealt, in its own tiles") {
        Door door;
        for (const Factorization kind : kinds) {
            Planned planned(10, kind, 24);
            planned.mapping = mapped(planned.tree, alike(world_size()));
            const PlanResult result = run_plan(door, planned.tree, planned.mapping, {});
            CHECK_FALSE(result.failed);
            CHECK(result.wrong_messages == 0);
            CHECK(result.counts == planned.counts());
        }
    }

    TEST_CASE("a rank that stops before the k-th unit leaves no message behind, for every k; the next run is right") {
        Door door;
        const Planned planned(9, Factorization::lu, 40);
        const std::vector<index_t> units = planned.units_with_messages();
        REQUIRE(units.size() >= 2);
        std::int64_t call = 0;
        for (const index_t unit : units)
            for (const index_t rank : {0, world_size() - 1}) {
                CAPTURE(unit);
                CAPTURE(rank);
                PlanRun run;
                run.stopping_rank = rank;
                run.stops_at = unit;
                run.delays = static_cast<std::uint64_t>(unit % 3);
                run.call = call++ % 16;
                const PlanResult result = run_plan(door, planned.tree, planned.mapping, run);
                CHECK(on_any_rank(result.failed));
                CHECK(result.counts.sent_messages == planned.counts().sent_messages);
                CHECK(result.counts.received_messages == planned.counts().received_messages);
                CHECK(door.channel->pending() == 0);
            }
        PlanRun again;
        again.call = call % 16;
        const PlanResult result = run_plan(door, planned.tree, planned.mapping, again);
        CHECK_FALSE(result.failed);
        CHECK(result.wrong_messages == 0);
        CHECK(result.counts == planned.counts());
    }

    TEST_CASE("a channel can be started and stopped again and again") {
        for (int round = 0; round < 3; ++round) {
            Door door;
            const Planned planned(8, Factorization::ldlt, 24);
            CHECK(run_plan(door, planned.tree, planned.mapping, {}).wrong_messages == 0);
        }
    }
}
