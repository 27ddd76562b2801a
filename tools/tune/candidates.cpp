// SPDX-License-Identifier: BSD-3-Clause
#include "candidates.hpp"

#include "frond/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace frond::cli {
namespace {

using Change = std::function<void(Tuning&)>;

void add(Knob& knob, const Tuning& base, const std::string& name, const Change& change) {
    Candidate candidate{name, base};
    change(candidate.tuning);
    if (differences(candidate.tuning) != differences(base)) knob.candidates.push_back(std::move(candidate));
}

// Adds the schedulers of StarPU that Frond's documents compare; lws and ws cannot serve cards.
void add_schedulers(const Measurements& measured, const Tuning& base, Knob& knob) {
    const std::vector<const char*> names = measured.machine.cards > 0 ? std::vector<const char*>{"dmda", "dmdar"}
                                                                      : std::vector<const char*>{"prio", "dmdas", "ws"};
    for (const char* name : names)
        add(knob, base, fmt::format("scheduler {}", name), [&](Tuning& t) { t.scheduler = name; });
}

void add_workers(const Measurements& measured, const Tuning& base, Knob& knob) {
    const index_t workers = measured.workers, threads = measured.topology.threads_per_core;
    const auto add_count = [&](index_t count, const std::string& name) {
        add(knob, base, name, [=](Tuning& t) { t.cpu_workers = count; });
    };
    if (workers >= 4) add_count(workers - 1, "a core more left free");
    if (workers >= 15) add_count(workers - 2, "2 cores more left free");
    const index_t cores = measured.machine.cores / std::max<index_t>(1, threads);  // the machine's are hardware threads
    if (workers < cores && measured.machine.cards == 0) add_count(cores, "a worker for each core");
    if (threads > 1 && measured.machine.cards == 0)
        add_count(std::max(cores, workers) * threads, fmt::format("{} workers a core", threads));
    if (workers > 1) add(knob, base, "workers not bound", [](Tuning& t) { t.bind_workers = false; });
}

void add_tiles(const Measurements& measured, const Tuning& base, Knob& knob) {
    const TileBounds bounds = tile_bounds(measured.tile_rates);
    if (bounds.smallest > 0)
        add(knob, base, fmt::format("tiles of {} to {}, by the kernels", bounds.smallest, bounds.largest),
            [&](Tuning& t) {
                std::tie(t.tree_cut.smallest_tile, t.tree_cut.largest_tile) =
                    std::pair(bounds.smallest, bounds.largest);
            });
    for (const index_t largest : {256, 512})
        add(knob, base, fmt::format("tiles up to {}", largest), [=](Tuning& t) { t.tree_cut.largest_tile = largest; });
    for (const double along : {4.0, 9.0})
        add(knob, base, fmt::format("{:g} tiles along a front", along),
            [=](Tuning& t) { t.tree_cut.tiles_along_front = along; });
}

/// Tiles whose updates leave time for the thread that submits them, by its measured time.
void add_submission(const Measurements& measured, const Tuning& base, Knob& knob) {
    double best = 0;
    for (const TileRate& rate : measured.tile_rates) best = std::max(best, rate.flops_per_second);
    constexpr double submissions = 4;  // of TreeCut::operations_of_submission
    const double operations = std::round(submissions * measured.submit_seconds * best);
    const auto order_for = [&](double flops) { return std::ceil(std::cbrt(flops * measured.workers) / 32); };
    if (operations <= 0 || order_for(operations) == order_for(base.tree_cut.operations_of_submission)) return;
    add(knob, base, "tiles that submission keeps up with",
        [=](Tuning& t) { t.tree_cut.operations_of_submission = operations; });
}

void add_subtrees(const Tuning& base, Knob& knob) {
    for (const double subtrees : {8.0, 32.0})
        add(knob, base, fmt::format("{:g} subtrees a worker", subtrees),
            [=](Tuning& t) { t.tree_cut.subtrees_per_worker = subtrees; });
}

void add_cards(const Measurements& measured, const Tuning& base, Knob& knob) {
    for (const index_t tile : {512, 2048})
        add(knob, base, fmt::format("tiles of {} for cards", tile), [=](Tuning& t) { t.tree_cut.card_tile = tile; });
    for (const index_t workers : {1, 2, 3})
        if (workers < measured.workers_per_card)
            add(knob, base, fmt::format("{} workers a card", workers),
                [=](Tuning& t) { t.workers_per_card = workers; });
}

}  // namespace

TileBounds tile_bounds(const std::vector<TileRate>& rates, double low, double high) {
    double best = 0;
    for (const TileRate& rate : rates) best = std::max(best, rate.flops_per_second);
    const auto first_with = [&](double share) {
        for (const TileRate& rate : rates)
            if (rate.flops_per_second >= share * best) return rate.tile;
        return index_t{0};
    };
    if (!(best > 0)) return {};
    return {first_with(low), std::max(first_with(low), first_with(high))};
}

std::vector<std::string> knob_names(const Measurements& measured) {
    std::vector<std::string> names{"scheduler", "workers", "tiles", "submission", "subtrees"};
    if (measured.machine.cards > 0) names.emplace_back("cards");
    std::erase_if(names, [&](const std::string& name) { return knob(name, measured, {}).candidates.empty(); });
    return names;
}

Knob knob(const std::string& name, const Measurements& measured, const Tuning& base) {
    Knob result{name, {}};
    if (name == "scheduler")
        add_schedulers(measured, base, result);
    else if (name == "workers")
        add_workers(measured, base, result);
    else if (name == "tiles")
        add_tiles(measured, base, result);
    else if (name == "submission")
        add_submission(measured, base, result);
    else if (name == "subtrees")
        add_subtrees(base, result);
    else if (name == "cards")
        add_cards(measured, base, result);
    else
        throw InvalidArgument("there is no knob '" + name + "' of frond tune");
    return result;
}

}  // namespace frond::cli
