// SPDX-License-Identifier: BSD-3-Clause
// What each simulated rank has done, next to what the analysis predicted.
#include "simulated/simulated_team.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

void add_rank(SimulatedRankWork& work, SimulatedRank& rank, index_t cards) {
    work.busy_seconds = rank.workers().busy_core_seconds();
    for (index_t card = 0; card < cards; ++card) {
        work.card_busy_seconds += rank.workers().busy_card_seconds(card);
        work.card_peak_bytes = std::max(work.card_peak_bytes, rank.links().memory()->peak_bytes[at(card)]);
    }
    work.bytes_to_cards = rank.links().bytes_to_cards();
    work.bytes_from_cards = rank.links().bytes_from_cards();
    work.submit_seconds = rank.submit_seconds();
}

void add_messages(SimulatedRankWork& work, const MessageCounts& counts, const RankPrediction& predicted) {
    work.bytes_sent = counts.sent_bytes;
    work.bytes_received = counts.received_bytes;
    work.messages_sent = counts.sent_messages;
    work.messages_received = counts.received_messages;
    work.bytes_sent_predicted = predicted.sent_bytes;
    work.bytes_received_predicted = predicted.received_bytes;
    work.messages_sent_predicted = predicted.sent_messages;
    work.messages_received_predicted = predicted.received_messages;
}

}  // namespace

/// Notes what a rank has done, after its tasks.
template <class T>
void SimulatedTeam<T>::note(index_t r, const FactorsState<T>& state) {
    SimulatedRankWork& work = work_[at(r)];
    work.factor_bytes = predict_peak<T>(*state.analysis, 1, state.factors.ownership.share.get()).factor_bytes;
    work.peak_bytes = state.report.memory.peak_bytes;
    work.peak_bytes_predicted = state.report.memory.peak_bytes_predicted;
    work.tasks = state.report.work.tasks;
    work.flops = state.report.work.flops;
    work.seconds = world_.time.now();
}

template <class T>
SimulatedClusterWork SimulatedTeam<T>::work(const FactorsState<T>& state, double seconds) {
    if (state.factors.ownership.is_alone()) note(0, state);
    SimulatedClusterWork all;
    all.cores = node_.cores;
    all.cards = node_.cards;
    all.seconds = seconds;
    all.path_seconds = world_.graph.longest_path_seconds();
    all.ranks = work_;
    std::vector<RankPrediction> predicted(work_.size());
    if (!state.factors.ownership.is_alone())
        predicted = predict_ranks(state.analysis->tree, state.analysis->cost.front_flops, *mapping_, rule_);
    for (std::size_t r = 0; r < work_.size(); ++r) {
        add_rank(all.ranks[r], *ranks_[r], node_.cards);
        add_messages(all.ranks[r], ranks_[r]->counts(), predicted[r]);
    }
    return all;
}

#define FROND_INSTANTIATE(T)                                               \
    template void SimulatedTeam<T>::note(index_t, const FactorsState<T>&); \
    template SimulatedClusterWork SimulatedTeam<T>::work(const FactorsState<T>&, double);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
