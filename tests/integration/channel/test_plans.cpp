// SPDX-License-Identifier: BSD-3-Clause
// All messages of plans, on as many ranks as there are: what arrives, how much, and what is left when one rank stops.
#include "plan_runner.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

using namespace frond;
using namespace frond::test;

namespace {

struct Planned {
    CostedTree tree;
    RankMapping mapping;

    /// As it is dealt, in its own tiles.
    explicit Planned(CostedTree costed) : tree(std::move(costed)), mapping(mapped(tree, alike(world_size()))) {}

    /// All ranks share each front of so many levels, on tables of all of them, in tiles of `tile` columns, so that all
    /// kinds of messages occur; below, subtrees are dealt to the ranks in turn.
    Planned(index_t grid, Factorization kind, index_t tile, index_t levels) : Planned(tree_of_grid(grid, kind)) {
        std::vector<index_t> level(tree.tree.fronts.size(), 0);
        index_t next = 0;
        for (index_t f = tree.tree.front_count() - 1; f >= 0; --f) {
            const index_t parent = tree.tree.fronts[at(f)].parent;
            if (parent >= 0) level[at(f)] = level[at(parent)] + 1;
            RankInterval& group = mapping.group[at(f)];
            if (level[at(f)] < levels)
                group = {0, world_size()};
            else if (parent < 0 || level[at(f)] == levels)
                group = {next++ % world_size(), 1};
            else
                group = mapping.group[at(parent)];
            mapping.grid[at(f)] = table_of(group, f);
            mapping.tiles[at(f)] = level[at(f)] <= levels ? small_tiles(tree.tree.fronts[at(f)], tile) : TileGrid{};
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

/// The first and the last; of many ranks, which take longer, one after the other.
std::vector<index_t> ranks_that_stop(index_t unit) {
    if (world_size() > 4) return {unit % world_size()};
    return {0, world_size() - 1};
}

constexpr Factorization kinds[] = {Factorization::llt, Factorization::ldlt, Factorization::lu};

}  // namespace

TEST_SUITE_BEGIN("plan");

TEST_CASE("every message of the plan arrives with its contents, and as many bytes as predicted") {
    Door door;
    std::int64_t call = 0;
    for (const Factorization kind : kinds)
        for (const std::uint64_t delays : {0, 1}) {
            const Planned planned(7, kind, 20, 3);
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
        const Planned planned(RandomForest(3, 1, 2).costed(kind));
        const PlanResult result = run_plan(door, planned.tree, planned.mapping, {});
        CHECK_FALSE(result.failed);
        CHECK(result.wrong_messages == 0);
        CHECK(result.counts == planned.counts());
    }
}

TEST_CASE("a rank that stops before the k-th unit leaves no message behind, for every k; the next run is right") {
    Door door;
    const Planned planned(6, Factorization::lu, 24, 3);
    const std::vector<index_t> units = planned.units_with_messages();
    REQUIRE(units.size() >= 2);
    std::int64_t call = 0;
    for (const index_t unit : units)
        for (const index_t rank : ranks_that_stop(unit)) {
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

TEST_CASE("two solvers at once, from two threads, have messages of their own") {
    Door door;
    const Planned planned(7, Factorization::lu, 24, 2);
    PlanRun runs[2];
    PlanResult results[2];
    std::thread threads[2];
    for (int t = 0; t < 2; ++t) {
        runs[t].solver = 1000 + t;
        runs[t].delays = static_cast<std::uint64_t>(t + 1);
        threads[t] = std::thread([&, t] { results[t] = run_plan(door, planned.tree, planned.mapping, runs[t]); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const PlanResult& result : results) {
        CHECK_FALSE(result.failed);
        CHECK(result.wrong_messages == 0);
    }
    const detail::MessageCounts each = planned.counts();
    CHECK(door.channel->counts() == detail::MessageCounts{2 * each.sent_messages, 2 * each.received_messages,
                                                          2 * each.sent_bytes, 2 * each.received_bytes});
}

TEST_CASE("a rank that is stopped by a signal for two seconds, in the middle of its messages, is waited for") {
    Door door;
    const Planned planned(7, Factorization::ldlt, 24, 2);
    const auto begin = std::chrono::steady_clock::now();
    std::atomic<bool> ended{false};
    count_t sent = -1;  // when it was stopped
    std::thread stops;
    if (world_rank() == world_size() - 1)
        stops = std::thread([&] {
            while (!ended && door.channel->counts().sent_messages < 3)
                std::this_thread::sleep_for(std::chrono::microseconds(20));
            const std::string wake = "(sleep 2; kill -CONT " + std::to_string(getpid()) + ") &";
            if (ended || std::system(wake.c_str()) != 0) return;
            sent = door.channel->counts().sent_messages;
            kill(getpid(), SIGSTOP);  // of all threads
        });
    PlanRun run;
    run.delays = 1;
    const PlanResult result = run_plan(door, planned.tree, planned.mapping, run);
    ended = true;
    if (stops.joinable()) {
        stops.join();
        CHECK(sent >= 3);
        CHECK(sent < planned.counts().sent_messages);
    }
    CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::seconds(2));  // on every rank
    CHECK_FALSE(result.failed);
    CHECK(result.wrong_messages == 0);
    CHECK(result.counts == planned.counts());
}

TEST_CASE("a rank that sleeps for a second is waited for") {
    Door door;
    const Planned planned(7, Factorization::ldlt, 24, 2);
    if (world_rank() == world_size() - 1) {
        const std::string wake = "(sleep 1; kill -CONT " + std::to_string(getpid()) + ") &";
        REQUIRE(std::system(wake.c_str()) == 0);
        REQUIRE(raise(SIGSTOP) == 0);
    }
    const PlanResult result = run_plan(door, planned.tree, planned.mapping, {});
    CHECK_FALSE(result.failed);
    CHECK(result.wrong_messages == 0);
    CHECK(result.counts == planned.counts());
}

TEST_CASE("halves of the ranks have channels of their own, in which messages go round") {
    Door door(half_of_world());
    detail::Channel& channel = *door.channel;
    const index_t ranks = channel.ranks(), me = channel.rank();
    CHECK(ranks == (world_size() + 1 - world_rank() % 2) / 2);
    CHECK(me == world_rank() / 2);
    int given = world_rank(), taken = -1;
    Ends ends;
    {
        const detail::DataHandle from = detail::DataHandle::vector(&given, 1),
                                 to = detail::DataHandle::vector(&taken, 1);
        if (ranks > 1) {
            channel.send(from.get(), (me + 1) % ranks, {0, 0, 0, 0, me}, 0, ends.after());
            channel.receive(to.get(), (me + ranks - 1) % ranks, {0, 0, 0, 0, (me + ranks - 1) % ranks}, ends.after());
            ends.wait_for(2);
        }
    }
    CHECK(taken == (ranks > 1 ? world_rank() % 2 + 2 * ((me + ranks - 1) % ranks) : -1));
    wait_for_all_ranks();
}

TEST_CASE("a channel can be started and stopped again and again") {
    for (int round = 0; round < 3; ++round) {
        Door door;
        const Planned planned(6, Factorization::ldlt, 24, 2);
        CHECK(run_plan(door, planned.tree, planned.mapping, {}).wrong_messages == 0);
    }
}

TEST_SUITE_END();
