// SPDX-License-Identifier: BSD-3-Clause
#include "ranks_of_simulation.hpp"

#include "frond/base/error.hpp"
#include "terminal/table.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace frond::cli {
namespace {

void expect_scheduler_of_cards(const std::string& scheduler) {
    constexpr std::array<std::string_view, 3> deques{"lws", "ws", "random"};
    if (std::find(deques.begin(), deques.end(), scheduler) == deques.end()) return;
    throw InvalidArgument("the scheduler " + scheduler +
                          " cannot serve cards: it looks at tasks that its worker cannot run, again and again; take "
                          "dmdas, or --gpus 0 for the cores alone");
}

}  // namespace

bool uses_cards(const CommandLine& line, const SimulatedMachine& machine) {
    return machine.card_count() > 0 && line.options.session.gpus != 0;
}

void expect_simulated_cards(const CommandLine& line, const SimulatedMachine& machine, const std::string& scheduler) {
    const index_t gpus = line.options.session.gpus;
    if (gpus > machine.card_count())
        throw InvalidArgument(
            fmt::format("--gpus {}: the machine {} has {}", gpus, machine.name, counted(machine.card_count(), "card")));
    if (machine.cards.size() > 1 && gpus != 0)
        throw InvalidArgument(
            fmt::format("--machine {}: it has cards of {} models, and only one can be simulated at a "
                        "time; take the others out of the file, or --gpus 0",
                        machine.name, machine.cards.size()));
    if (uses_cards(line, machine)) expect_scheduler_of_cards(scheduler);
}

void expect_simulated_ranks(const CommandLine& line, const SimulatedMachine& machine) {
    if (line.ranks == 0) return;
    const std::string asked = fmt::format("--ranks {}: ", line.ranks);
    if (line.ranks > machine.nodes)
        throw InvalidArgument(
            fmt::format("{}the machine {} has {}, and each rank is on a node of its own; give a machine "
                        "file with 'nodes' and 'network' (docs/machines.md)",
                        asked, machine.name, counted(machine.nodes, "node")));
    if (line.ranks > 1 && uses_cards(line, machine) && line.options.factor.place == FactorPlace::device)
        throw InvalidArgument(asked + "no card of one rank has the whole tree; leave --factor-place device out");
    if (!line.options.session.scheduler.empty())
        throw InvalidArgument(asked + "the cores of simulated ranks take tasks by priority, and not by the scheduler " +
                              line.options.session.scheduler + "; leave --scheduler out");
    if (!line.pivots_file.empty())
        throw InvalidArgument(asked + "recorded pivots are simulated on one process alone; leave --pivots out");
    if (!line.trace_folder.empty())
        throw InvalidArgument(asked + "tasks of simulated ranks are not StarPU's, which records traces; leave -o out");
}

SimulatedCluster cluster_of(const SimulatedMachine& machine, index_t ranks, index_t memories) {
    SimulatedCluster cluster;
    cluster.ranks = ranks;
    cluster.memories = memories;
    cluster.network = {machine.network.bytes_per_second, machine.network.latency_seconds,
                       machine.network.message_seconds};
    return cluster;
}

ClusterBounds bounds_of(const RanksOfSimulation& run) {
    ClusterBounds bounds;
    bounds.path = run.work.path_seconds;
    const double cores = run.work.cores;
    for (const SimulatedRankWork& r : run.work.ranks) {
        bounds.work += r.busy_seconds / (cores * static_cast<double>(run.work.ranks.size()));
        bounds.largest_rank = std::max(bounds.largest_rank, r.busy_seconds / cores);
        bounds.submission = std::max(bounds.submission, r.submit_seconds);
        if (const double cards = run.work.cards; cards > 0) {
            bounds.card_work += r.card_busy_seconds / (cards * static_cast<double>(run.work.ranks.size()));
            bounds.largest_cards = std::max(bounds.largest_cards, r.card_busy_seconds / cards);
        }
        const auto messages = static_cast<double>(r.messages_sent + r.messages_received);
        bounds.messages = std::max(bounds.messages, messages * run.cluster.network.message_seconds);
        const auto bytes = static_cast<double>(std::max(r.bytes_sent, r.bytes_received));
        if (bytes > 0) bounds.link = std::max(bounds.link, bytes / run.cluster.network.bytes_per_second);
    }
    return bounds;
}

std::vector<RankReport> reports_of(const RanksOfSimulation& run) {
    std::vector<RankReport> reports;
    for (const SimulatedRankWork& r : run.work.ranks) {
        RankReport& report = reports.emplace_back();
        report.rank = static_cast<index_t>(reports.size()) - 1;
        report.factor_bytes = r.factor_bytes;
        report.peak_bytes = r.peak_bytes;
        report.peak_bytes_predicted = r.peak_bytes_predicted;
        report.flops = r.flops;
        report.seconds = run.work.seconds;
        report.bytes_sent = report.tree_bytes_sent = report.factor_bytes_sent = r.bytes_sent;
        report.bytes_received = report.factor_bytes_received = r.bytes_received;
        report.messages_sent = report.tree_messages_sent = report.factor_messages_sent = r.messages_sent;
        report.messages_received = report.factor_messages_received = r.messages_received;
        report.idle_seconds = run.work.seconds - r.busy_seconds / run.work.cores;
    }
    return reports;
}

void add_efficiency(Table& table, const RanksOfSimulation& run) {
    const ClusterBounds bounds = bounds_of(run);
    table.section("efficiency", fmt::format("{:.2f}", run.efficiency()),
                  fmt::format("one rank takes {}; idle means cores without a task",
                              text_of_seconds(run.one_rank_seconds)));
    if (run.work.cards > 0) {
        count_t most = 0;
        for (const SimulatedRankWork& r : run.work.ranks) most = std::max(most, r.card_peak_bytes);
        table.row("cards", fmt::format("{:.0f}%", 100 * bounds.card_work / run.seconds),
                  fmt::format("of the time busy in the mean; {} on the one that holds most",
                              text_of_bytes(static_cast<double>(most))));
    }
    const auto row = [&](const char* name, double seconds, const char* of) {
        table.row(name, text_of_seconds(seconds), of);
    };
    row("not below", bounds.work, "all tasks, shared evenly by all cores");
    row("", bounds.largest_rank, "tasks of the rank that has most of them");
    if (run.work.cards > 0) {
        row("", bounds.card_work, "tasks of all cards, shared evenly by them");
        row("", bounds.largest_cards, "tasks of the cards of the rank whose cards have most");
    }
    row("", bounds.path, "the longest chain of tasks and messages");
    row("", bounds.submission, "submission of the rank that submits most");
    row("", bounds.link, "bytes of the rank that sends or receives most");
    row("", bounds.messages, "messages of the rank that sends and receives most");
}

void add_simulated_ranks(Json& object, const RanksOfSimulation& run) {
    const ClusterBounds bounds = bounds_of(run);
    object["cluster"] = {{"ranks", run.cluster.ranks},
                         {"cores", run.work.cores},
                         {"one_rank_seconds", number_json(run.one_rank_seconds)},
                         {"efficiency", number_json(run.efficiency())},
                         {"bounds",
                          {{"work_seconds", bounds.work},
                           {"largest_rank_seconds", bounds.largest_rank},
                           {"path_seconds", bounds.path},
                           {"submit_seconds", bounds.submission},
                           {"link_seconds", bounds.link},
                           {"message_seconds", bounds.messages}}}};
    if (run.work.cards > 0) {
        Json& cluster = object["cluster"];
        cluster["cards"] = run.work.cards;
        cluster["bounds"]["card_work_seconds"] = bounds.card_work;
        cluster["bounds"]["largest_cards_seconds"] = bounds.largest_cards;
    }
    for (std::size_t r = 0; r < run.work.ranks.size(); ++r) {
        const SimulatedRankWork& work = run.work.ranks[r];
        Json& rank = object["ranks"][r];
        rank["tasks"] = work.tasks;
        rank["busy_seconds"] = work.busy_seconds;
        rank["end_seconds"] = work.seconds;
        if (run.work.cards > 0) {
            rank["card_busy_seconds"] = work.card_busy_seconds;
            rank["card_peak_bytes"] = work.card_peak_bytes;
            rank["bytes_to_devices"] = work.bytes_to_cards;
            rank["bytes_from_devices"] = work.bytes_from_cards;
        }
        rank["bytes_sent_predicted"] = work.bytes_sent_predicted;
        rank["bytes_received_predicted"] = work.bytes_received_predicted;
        rank["messages_sent_predicted"] = work.messages_sent_predicted;
        rank["messages_received_predicted"] = work.messages_received_predicted;
    }
}

}  // namespace frond::cli
