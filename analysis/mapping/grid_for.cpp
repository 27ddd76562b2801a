// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "frond/base/vector_index.hpp"
#include "mapping_parts.hpp"
#include "ranks_parts.hpp"

namespace frond {
namespace {

/// Below it messages take longer than what several ranks save.
constexpr index_t least_shared_order = 1000;

/// Of all panels of a front: the diagonal tile and what is solved with it, then two broadcasts and a tile on its way.
double seconds_of_panels(const Front& front, index_t tile, index_t ranks, double rate, const RankMachine& machine) {
    if (ranks == 1) return 0;
    const double b = tile, panels = std::ceil(front.npiv / b);
    const double hops = 2 * std::ceil(std::log2(static_cast<double>(ranks)));
    return panels * (4 * b * b * b / 3 / rate + hops * machine.message_seconds +
                     b * b * static_cast<double>(machine.scalar_bytes) / machine.bytes_per_second);
}

}  // namespace

RankGrid grid_for(index_t first, index_t ranks) {
    for (index_t used = ranks; used > 1; --used)
        for (auto rows = static_cast<index_t>(std::sqrt(static_cast<double>(used))); rows >= 1; --rows)
            if (used % rows == 0 && used / rows <= 3 * rows) return {first, rows, used / rows};
    return {first, 1, 1};
}

index_t quickest_ranks(const Front& front, double flops, index_t most, const RankMachine& machine) {
    if (most == 1 || front.nfront < least_shared_order) return 1;
    double rate = 0;
    for (const double r : machine.flops_per_second) rate += r / static_cast<double>(machine.flops_per_second.size());
    index_t best = 1;
    double least = flops / rate;
    for (index_t ranks = 2; ranks <= most; ++ranks) {
        const index_t used = grid_for(0, ranks).size();
        const index_t tile = tile_size_of(front.nfront, used, 0);
        const double seconds = flops / (used * rate) + seconds_of_panels(front, tile, used, rate, machine);
        if (seconds >= least) continue;
        least = seconds;
        best = used;
    }
    return best;
}

}  // namespace frond
