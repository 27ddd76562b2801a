// SPDX-License-Identifier: BSD-3-Clause
#include "balance_ranks.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "frond/base/vector_index.hpp"
#include "ranks_parts.hpp"

namespace frond {
namespace {

void add(const RankLoads::Parts& parts, std::vector<double>& sum) {
    for (const auto& [rank, amount] : parts) sum[at(rank)] += amount;
}

void add(const std::vector<double>& parts, std::vector<double>& sum) {
    for (std::size_t r = 0; r < parts.size(); ++r) sum[r] += parts[r];
}

double part_of(const RankLoads::Parts& parts, index_t rank) {
    for (const auto& [r, amount] : parts)
        if (r == rank) return amount;
    return 0;
}

index_t exchanged(index_t rank, const RankExchange& e) { return rank == e.a ? e.b : rank == e.b ? e.a : rank; }

}  // namespace

RankLoads::RankLoads(const AssemblyTree& tree, const std::vector<double>& front_flops, RankMapping units,
                     const RankMachine& machine, const MessageRule& rule)
    : tree_(tree),
      flops_(front_flops),
      units_(std::move(units)),
      machine_(machine),
      rule_(rule),
      place_(tree.fronts.size(), 0) {
    list_loads();
    add_up();
}

/// Parents come after their children, so the loads below a front lie one behind the other.
void RankLoads::list_loads() {
    std::vector<double> alone(flops_);  // of all that one rank has up to a front
    for (index_t f = 0; f < tree_.front_count(); ++f) {
        const index_t parent = tree_.fronts[at(f)].parent;
        const bool is_shared = units_.is_shared(f);
        if (!is_shared && parent >= 0 && !units_.is_shared(parent)) {
            alone[at(parent)] += alone[at(f)];
            continue;
        }
        Load load;
        load.front = f;
        load.above = parent;
        if (is_shared) {
            shared_.push_back(f);
            place_[at(f)] = loads_.size();
            load.seconds = seconds_of(f);
            load.received = received_in(f);
        } else {
            const index_t rank = units_.grid[at(f)].rank[0];
            load.seconds = {{rank, alone[at(f)] / machine_.flops_per_second[at(rank)]}};
        }
        loads_.push_back(std::move(load));
    }
}

RankLoads::Parts RankLoads::seconds_of(index_t front) const {
    const RankGrid& grid = units_.grid[at(front)];
    const std::vector<index_t> members = grid.members();
    const std::vector<FrontShare> shares =
        members.size() > 1 ? shares_of(grid, units_.tiles[at(front)], rule_.kind) : std::vector<FrontShare>();
    double work = 0;
    for (const FrontShare& s : shares) work += s.work;
    Parts parts;
    for (const index_t rank : members) {
        const double part = work > 0 ? shares[at(rank)].work / work : 1.0 / static_cast<double>(members.size());
        parts.push_back({rank, flops_[at(front)] * part / machine_.flops_per_second[at(rank)]});
    }
    return parts;
}

RankLoads::Parts RankLoads::received_in(index_t front) const {
    std::map<index_t, double> bytes;
    for_each_message(tree_, units_, rule_, front,
                     [&](const Message& m) { bytes[m.destination] += static_cast<double>(m.bytes); });
    return {bytes.begin(), bytes.end()};
}

void RankLoads::add_up() {
    const auto none = std::vector<double>(at(units_.ranks), 0.0);
    seconds_ = received_ = none;
    for (const index_t f : shared_) load_of(f).seconds_below = load_of(f).received_below = none;
    for (const Load& load : loads_) {
        std::vector<double>& seconds = load.above >= 0 ? load_of(load.above).seconds_below : seconds_;
        std::vector<double>& received = load.above >= 0 ? load_of(load.above).received_below : received_;
        add(load.seconds, seconds);
        add(load.received, received);
        add(load.seconds_below, seconds);
        add(load.received_below, received);
    }
}

double RankLoads::bytes() const { return std::accumulate(received_.begin(), received_.end(), 0.0); }

bool RankLoads::has_part(index_t front, index_t rank) const {
    const Load& load = load_of(front);
    return load.seconds_below[at(rank)] > 0 || part_of(load.seconds, rank) > 0;
}

double RankLoads::more(const RankExchange& e, Parts Load::*own, std::vector<double> Load::*below) const {
    const Load& load = load_of(e.front);
    if (e.is_below) return (load.*below)[at(e.b)] - (load.*below)[at(e.a)];
    return part_of(load.*own, e.b) - part_of(load.*own, e.a);
}

/// Messages change where the exchanged fronts meet others.
void RankLoads::exchange(const RankExchange& e) {
    const std::size_t last = place_[at(e.front)];
    const index_t first_front = e.is_below ? tree_.first_descendant[at(e.front)] : e.front;
    const index_t end_front = e.is_below ? e.front : e.front + 1;
    for (index_t f = first_front; f < end_front; ++f)
        for (index_t& rank : units_.grid[at(f)].rank) rank = exchanged(rank, e);
    for (std::size_t k = last + 1; k-- > 0 && loads_[k].front >= first_front;) {
        if (loads_[k].front >= end_front) continue;
        for (auto& [rank, amount] : loads_[k].seconds) rank = exchanged(rank, e);
        for (auto& [rank, amount] : loads_[k].received) rank = exchanged(rank, e);
    }
    load_of(e.front).received = received_in(e.front);
    const index_t above = loads_[last].above;
    if (!e.is_below && above >= 0) load_of(above).received = received_in(above);
    add_up();
}

}  // namespace frond
