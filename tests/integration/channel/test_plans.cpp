// SPDX-License-Identifier: BSD-3-Clause
// All messages of plans, on as many ranks as there are: what arrives, how much, and what is left when one rank stops.
#include "plan_runner.hpp"

using namespace frond;
using namespace frond::test;

namespace {

struct Planned {
    CostedTree tree;
    RankMapping mapping;

    /// Fronts that several ranks share on tables of random ranks and in small tiles, so that all kinds of messages occur.
    Planned(index_t grid, Factorization kind, std::uint64_t seed) : tree(tree_of_grid(grid, kind)) {
        mapping = mapped(tree, alike(world_size()));
        share_much(tree.tree, mapping, seed);
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
                const Planned planned(5, kind, 11);
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
            }
    }

    TEST_CASE("a mapping as it is dealt, in its own tiles") {
        Door door;
        for (const Factorization kind : kinds) {
            Planned planned(8, kind, 1);
            planned.mapping = mapped(planned.tree, alike(world_size()));
            const PlanResult result = run_plan(door, planned.tree, planned.mapping, {});
            CHECK_FALSE(result.failed);
            CHECK(result.wrong_messages == 0);
            CHECK(result.counts == planned.counts());
        }
    }

    TEST_CASE("a rank that stops before the k-th unit leaves no message behind, for every k; the next run is right") {
        Door door;
        const Planned planned(4, Factorization::lu, 5);
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
            const Planned planned(4, Factorization::ldlt, 3);
            CHECK(run_plan(door, planned.tree, planned.mapping, {}).wrong_messages == 0);
        }
    }
}
