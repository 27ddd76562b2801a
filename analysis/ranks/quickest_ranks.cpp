// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "../mapping/mapping_parts.hpp"
#include "frond/base/vector_index.hpp"
#include "ranks_parts.hpp"
#include "tables/rank_tables.hpp"

namespace frond {
namespace {

double mean_rate(const RankMachine& machine) {
    double rate = 0;
    for (const double r : machine.flops_per_second) rate += r / static_cast<double>(machine.flops_per_second.size());
    return rate;
}

/// About the bytes that a rank receives of the panels of a front: a tile of L goes to the ranks of its row and, for
/// symmetric kinds, column of tiles, L U: and one of U to those of its column.
double bytes_of_panels(const Front& front, index_t ranks, const MessageRule& rule) {
    const double n = front.nfront, k = front.npiv, p = ranks;
    const double factors = (rule.kind == Factorization::lu ? 2 : 1) * (n * k - k * k / 2);
    const double lines = std::sqrt(rule.kind == Factorization::lu ? p : 2 * p);
    return factors * (lines - 1) / p * static_cast<double>(rule.scalar_bytes);
}

}  // namespace

// The time of all panels of a front: the diagonal tile and what is solved with it, then two broadcasts and a tile on
// its way.
double seconds_of_panels(const Front& front, index_t ranks, double rate, const RankMachine& machine,
                         count_t scalar_bytes) {
    if (ranks == 1) return 0;
    const double b = tile_size_of(front.nfront, ranks, 0), panels = std::ceil(front.npiv / b);
    const double hops = 2 * std::ceil(std::log2(static_cast<double>(ranks)));
    return panels * (4 * b * b * b / 3 / rate + hops * machine.message_seconds +
                     b * b * static_cast<double>(scalar_bytes) / machine.bytes_per_second);
}

std::vector<index_t> quickest_ranks(const Front& front, double flops, index_t most, const RankMachine& machine,
                                    const MessageRule& rule, const RankTables& tables) {
    if (most == 1 || front.nfront < least_shared_order) return {1};
    const double rate = mean_rate(machine);
    std::vector<std::pair<double, index_t>> all;
    for (index_t ranks = 1; ranks <= most; ++ranks) {
        if (!tables.has(ranks, least_lines(front))) continue;
        double seconds = flops / (ranks * rate);  // panels travel meanwhile
        if (ranks > 1) seconds = std::max(seconds, bytes_of_panels(front, ranks, rule) / machine.bytes_per_second);
        all.push_back({seconds + seconds_of_panels(front, ranks, rate, machine, rule.scalar_bytes), ranks});
    }
    std::sort(all.begin(), all.end());
    std::vector<index_t> counts;
    for (const auto& [seconds, ranks] : all) counts.push_back(ranks);
    return counts;
}

}  // namespace frond
