// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "frond/base/types.hpp"
#include "frond/codelets/simulated_machine.hpp"

namespace frond::detail {

/// What the cards of a rank hold of data that somebody may still use.
struct CardMemory {
    std::vector<count_t> bytes, peak_bytes;  // [cards]

    void take(index_t card, count_t more);
    void give_back(index_t card, count_t less) { bytes[static_cast<std::size_t>(card)] -= less; }
};

class CardLinks;

/// Where one handle's data are valid, from when a card first has a copy. A node is the host's memory or a card.
struct CardCopies {
    CardCopies(count_t size, CardLinks& by);
    CardCopies(const CardCopies&) = delete;
    CardCopies& operator=(const CardCopies&) = delete;
    ~CardCopies() { drop_all(); }

    bool is_at(index_t place) const noexcept { return (valid >> place & 1U) != 0; }
    void add(index_t place);
    /// No other copy is valid any more.
    void write(index_t place);
    void drop_all();

    count_t bytes;
    CardLinks& links;  // of the rank; not after it
    std::shared_ptr<CardMemory> memory;
    std::uint32_t valid = 0;  // bit p: on node p
    std::vector<double> arrives;  // [nodes] when a copy is there that was asked for
};

/// Copies over the links of a rank's cards. Each link has one copy at a time in each direction, in the order in which they
/// are asked for: bytes over bandwidth, and a latency until they are there.
class CardLinks {
public:
    static constexpr index_t host = 0;  // a node; card c is c + 1
    static constexpr index_t place_of(index_t card) { return card + 1; }

    CardLinks(const SimulatedCardLinks& links, index_t cards);

    /// When the data are on the node, now at the earliest; they are copied if they are not.
    double bring(CardCopies& copies, index_t place, double now);
    /// Bytes that are there nowhere else, from a card to the host.
    double to_host(index_t card, count_t bytes, double now);
    double to_card(index_t card, count_t bytes, double now);
    /// Alone on its links, of data that are not there.
    double seconds_to(const CardCopies& copies, index_t place) const;

    count_t bytes_to_cards() const noexcept { return to_cards_; }
    count_t bytes_from_cards() const noexcept { return from_cards_; }
    const std::shared_ptr<CardMemory>& memory() const noexcept { return memory_; }

private:
    struct Line {
        double free = 0;  // from then on
    };
    struct Card {
        Line to, from, peer_in, peer_out;
    };
    Card& card_at(index_t place) { return cards_[static_cast<std::size_t>(place - 1)]; }
    /// A card that sends to another one without the host; host: none.
    index_t peer_with(const CardCopies& copies) const;

    SimulatedCardLinks links_;
    std::vector<Card> cards_;
    std::shared_ptr<CardMemory> memory_;
    count_t to_cards_ = 0, from_cards_ = 0;
};

}  // namespace frond::detail
