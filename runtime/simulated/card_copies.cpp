// SPDX-License-Identifier: BSD-3-Clause
#include "simulated/card_copies.hpp"

#include <algorithm>

#include "frond/base/vector_index.hpp"

namespace frond::detail {

void CardMemory::take(index_t card, count_t more) {
    bytes[at(card)] += more;
    peak_bytes[at(card)] = std::max(peak_bytes[at(card)], bytes[at(card)]);
}

CardCopies::CardCopies(count_t size, CardLinks& by) : bytes(size), links(by), memory(by.memory()) {}

void CardCopies::add(index_t place) {
    if (is_at(place)) return;
    valid |= std::uint32_t{1} << place;
    if (place != CardLinks::host) memory->take(place - 1, bytes);
}

void CardCopies::write(index_t place) {
    drop_all();
    add(place);
}

void CardCopies::drop_all() {
    for (index_t card = 0; card < static_cast<index_t>(memory->bytes.size()); ++card)
        if (is_at(CardLinks::place_of(card))) memory->give_back(card, bytes);
    valid = 0;
}

CardLinks::CardLinks(const SimulatedCardLinks& links, index_t cards)
    : links_(links), cards_(at(cards)), memory_(std::make_shared<CardMemory>()) {
    memory_->bytes.resize(at(cards));
    memory_->peak_bytes.resize(at(cards));
}

double CardLinks::to_host(index_t card, count_t bytes, double now) {
    double& free = cards_[at(card)].from.free;
    free = std::max(free, now) + static_cast<double>(bytes) / links_.bytes_per_second;
    from_cards_ += bytes;
    return free + links_.latency_seconds;
}

double CardLinks::to_card(index_t card, count_t bytes, double now) {
    double& free = cards_[at(card)].to.free;
    free = std::max(free, now) + static_cast<double>(bytes) / links_.bytes_per_second;
    to_cards_ += bytes;
    return free + links_.latency_seconds;
}

index_t CardLinks::peer_with(const CardCopies& copies) const {
    if (!(links_.peer_bytes_per_second > 0)) return host;
    index_t best = host;
    for (index_t place = 1; place <= static_cast<index_t>(cards_.size()); ++place)
        if (copies.is_at(place) &&
            (best == host || cards_[at(place - 1)].peer_out.free < cards_[at(best - 1)].peer_out.free))
            best = place;
    return best;
}

double CardLinks::bring(CardCopies& copies, index_t place, double now) {
    copies.arrives.resize(cards_.size() + 1);
    double& arrives = copies.arrives[at(place)];
    if (copies.is_at(place)) return std::max(now, arrives);
    const index_t peer = place == host ? host : peer_with(copies);
    if (peer != host) {
        double &out = card_at(peer).peer_out.free, &in = card_at(place).peer_in.free;
        const double begin = std::max({now, copies.arrives[at(peer)], out, in});
        out = in = begin + static_cast<double>(copies.bytes) / links_.peer_bytes_per_second;
        arrives = out + links_.latency_seconds;
    } else if (place != host) {
        const double there = bring(copies, host, now);
        arrives = to_card(place - 1, copies.bytes, there);
    } else {
        index_t from = 1;
        while (from < static_cast<index_t>(cards_.size()) && !copies.is_at(from)) ++from;
        arrives = to_host(from - 1, copies.bytes, std::max(now, copies.arrives[at(from)]));
    }
    copies.add(place);
    return arrives;
}

double CardLinks::seconds_to(const CardCopies& copies, index_t place) const {
    if (copies.is_at(place)) return 0;
    const bool by_peer = place != host && peer_with(copies) != host;
    const double rate = by_peer ? links_.peer_bytes_per_second : links_.bytes_per_second;
    const double copies_needed = by_peer || place == host || copies.is_at(host) ? 1 : 2;
    return copies_needed * (static_cast<double>(copies.bytes) / rate + links_.latency_seconds);
}

}  // namespace frond::detail
