// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/rank_mapping.hpp"

#include <utility>
#include <vector>

namespace frond {

/// Ranks a and b exchange their parts of a front, or of all that is below it.
struct RankExchange {
    double most = 0;  // of the one of them that has more afterwards
    index_t front = 0;
    bool is_below = false;
    index_t a = 0, b = 0;
};

/// What ranks do and receive, in each front that several could share and in all below it, while ranks of a mapping exchange
/// their parts. O(these fronts * ranks + fronts) for an exchange, and the messages of a front and of its parent.
class RankLoads {
public:
    using Parts = std::vector<std::pair<index_t, double>>;  // of ranks, each at most once

    RankLoads(const AssemblyTree& tree, const std::vector<double>& front_flops, RankMapping units,
              const RankMachine& machine, const MessageRule& rule);

    const std::vector<index_t>& shared_fronts() const { return shared_; }
    /// [ranks] in all
    const std::vector<double>& seconds() const { return seconds_; }
    const std::vector<double>& received() const { return received_; }
    double bytes() const;
    /// True: the rank has a part of this shared front, or of what is below it.
    bool has_part(index_t front, index_t rank) const;
    /// More of `b` than of `a` in what they would exchange.
    double more_seconds(const RankExchange& e) const { return more(e, &Load::seconds, &Load::seconds_below); }
    double more_received(const RankExchange& e) const { return more(e, &Load::received, &Load::received_below); }

    void exchange(const RankExchange& e);
    std::vector<RankGrid> grids() && { return std::move(units_.grid); }

private:
    /// What a shared front, or all that one rank has below one, costs each rank.
    struct Load {
        index_t front = 0, above = -1;  // above: the shared front, -1: none
        Parts seconds, received;
        std::vector<double> seconds_below, received_below;  // [ranks] of shared fronts
    };

    void list_loads();
    Parts seconds_of(index_t front) const;
    Parts received_in(index_t front) const;
    void add_up();
    Load& load_of(index_t front) { return loads_[place_[static_cast<std::size_t>(front)]]; }
    const Load& load_of(index_t front) const { return loads_[place_[static_cast<std::size_t>(front)]]; }
    double more(const RankExchange& e, Parts Load::*own, std::vector<double> Load::*below) const;

    const AssemblyTree& tree_;
    const std::vector<double>& flops_;
    RankMapping units_;
    const RankMachine& machine_;
    const MessageRule& rule_;
    std::vector<index_t> shared_;
    std::vector<Load> loads_;  // in the order of their fronts
    std::vector<std::size_t> place_;  // [fronts] in loads_, of shared ones
    std::vector<double> seconds_, received_;
};

/// Tables of `units`, a mapping for ranks that are alike, in which pairs of ranks have exchanged their parts, in a
/// front or in all that is below one; both have a part there. They do so as long as the rank with most to do has less
/// then, and after that as long as the one that receives most does and none has much more to do. What travels may grow
/// by little. The same for the same input. O(shared fronts * ranks * log + fronts) for each of a few exchanges a rank.
std::vector<RankGrid> balanced_ranks(const AssemblyTree& tree, const std::vector<double>& front_flops,
                                     RankMapping units, const RankMachine& machine, const MessageRule& rule);

}  // namespace frond
