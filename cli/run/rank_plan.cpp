// SPDX-License-Identifier: BSD-3-Clause
#include "rank_plan.hpp"

#include "terminal/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace frond::cli {
namespace {

constexpr std::size_t most_listed_ranks = 16;

std::string text_of(const RankPrediction& r) {
    return fmt::format("{} factors, {} peak; out {} in {}, in {} in {}",
                       text_of_bytes(static_cast<double>(r.factor_bytes)),
                       text_of_bytes(static_cast<double>(r.peak_bytes)),
                       text_of_bytes(static_cast<double>(r.sent_bytes)), counted(r.sent_messages, "message"),
                       text_of_bytes(static_cast<double>(r.received_bytes)), counted(r.received_messages, "message"));
}

RankPrediction mean_of(const std::vector<RankPrediction>& ranks) {
    RankPrediction mean;
    const auto n = static_cast<count_t>(ranks.size());
    for (const RankPrediction& r : ranks) {
        mean.flops += r.flops / static_cast<double>(n);
        mean.factor_bytes += r.factor_bytes;
        mean.peak_bytes += r.peak_bytes;
        mean.sent_bytes += r.sent_bytes;
        mean.received_bytes += r.received_bytes;
        mean.sent_messages += r.sent_messages;
        mean.received_messages += r.received_messages;
    }
    for (count_t* const field : {&mean.factor_bytes, &mean.peak_bytes, &mean.sent_bytes, &mean.received_bytes,
                                 &mean.sent_messages, &mean.received_messages})
        *field /= n;
    return mean;
}

/// The largest of each number, which need not all be of one rank.
RankPrediction largest_of(const std::vector<RankPrediction>& ranks) {
    RankPrediction most;
    for (const RankPrediction& r : ranks) {
        most.flops = std::max(most.flops, r.flops);
        most.factor_bytes = std::max(most.factor_bytes, r.factor_bytes);
        most.peak_bytes = std::max(most.peak_bytes, r.peak_bytes);
        most.sent_bytes = std::max(most.sent_bytes, r.sent_bytes);
        most.received_bytes = std::max(most.received_bytes, r.received_bytes);
        most.sent_messages = std::max(most.sent_messages, r.sent_messages);
        most.received_messages = std::max(most.received_messages, r.received_messages);
    }
    return most;
}

/// Empty: a run shares the tree.
std::string why_left_to_rank_0(const RunFacts& facts, const RankPlan& plan) {
    const double least = facts.session.gpus > 0 ? least_shared_flops_of_cards : least_shared_flops;
    if (facts.analysis_flops() < least) return fmt::format("the tree has less than {}", text_of_flops(least));
    return fits_messages(plan.mapping, plan.rule) ? "" : "tiles are larger than a message may be";
}

}  // namespace

RankPlan plan_ranks(const RunFacts& facts, index_t ranks, const FactorOptions& options) {
    const Analysis& a = *facts.analysis;
    RankMachine machine;
    const double rate = mapped_flops_of_core * std::max<index_t>(facts.session.cpu_workers, 1) +
                        mapped_flops_of_card * facts.session.gpus;
    machine.flops_per_second.assign(static_cast<std::size_t>(ranks), rate);
    if (const count_t budget = options.memory_budget_bytes; budget > 0)
        machine.budget_bytes.assign(static_cast<std::size_t>(ranks), budget);
    const bool threshold = options.pivoting == Pivoting::automatic || options.pivoting == Pivoting::threshold;
    const MessageRule rule{a.factorization, threshold, facts.scalar_bytes};
    RankPlan plan{
        map_units(a.tree, a.mapping, a.cost.front_flops, machine, rule, true, a.options.threads), rule, {}, {}};
    plan.left_to_rank_0 = why_left_to_rank_0(facts, plan);
    std::vector<double> flops = a.cost.front_flops;
    for (double& f : flops) f *= facts.complex_scalar ? 4 : 1;
    plan.of_rank = predict_ranks(a.tree, flops, plan.mapping, rule);
    return plan;
}

void cut_for_ranks(AnalysisOptions& options, index_t ranks, index_t workers) {
    if (ranks == 0 || options.deterministic) return;
    if (options.ranks <= 1) options.ranks = ranks;
    if (options.workers == 0) options.workers = ranks * workers;
}

void add_ranks(Table& table, const RankPlan& plan) {
    const std::vector<RankPrediction>& ranks = plan.of_rank;
    const RankPrediction mean = mean_of(ranks), most = largest_of(ranks);
    table.section("ranks", counted(static_cast<count_t>(ranks.size()), "process", "processes"), "predicted");
    if (!plan.left_to_rank_0.empty())
        table.row("a run", "rank 0 alone", plan.left_to_rank_0 + "; below is what ranks that share it would do");
    for (std::size_t r = 0; r < ranks.size() && ranks.size() <= most_listed_ranks; ++r)
        table.row(fmt::format("rank {}", r), text_of_flops(ranks[r].flops), text_of(ranks[r]));
    table.row("mean", text_of_flops(mean.flops), text_of(mean));
    table.row("largest", text_of_flops(most.flops), text_of(most));
}

Json ranks_json(const RankPlan& plan) {
    Json all = Json::array();
    for (const RankPrediction& r : plan.of_rank)
        all.push_back({{"rank", all.size()},
                       {"factor_bytes", r.factor_bytes},
                       {"peak_bytes_predicted", r.peak_bytes},
                       {"flops", number_json(r.flops)},
                       {"bytes_sent", r.sent_bytes},
                       {"bytes_received", r.received_bytes},
                       {"messages_sent", r.sent_messages},
                       {"messages_received", r.received_messages}});
    return all;
}

}  // namespace frond::cli
