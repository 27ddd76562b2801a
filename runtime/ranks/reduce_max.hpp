// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <vector>

#include "ranks/collectively.hpp"

namespace frond::detail {

/// values[i] := the largest values[i] of all ranks, of numbers >= 0: their bits order as they do. As many on all ranks.
/// Collective.
inline void reduce_max(Communicator& ranks, std::vector<double>& values) {
    std::vector<count_t> bits;
    collectively(ranks, [&] {
        bits.reserve(values.size());
        for (const double v : values) bits.push_back(std::bit_cast<count_t>(v));
    });
    ranks.all_reduce_max(bits);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::bit_cast<double>(bits[i]);
}

}  // namespace frond::detail
