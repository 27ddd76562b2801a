// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"

namespace frond::gpu {

/// Where the blocks of columns of a front on tiles begin, and their end, if all devices do it: where tiles do, at npiv too.
std::vector<index_t> column_blocks(const Analysis& analysis, index_t front);
/// The last columns of a root are quicker on one device, whose steps follow each other without tasks.
inline constexpr index_t most_tail_columns = 8192;
/// Where the columns begin, at one of these cuts, that one device eliminates together in the end; npiv: there are none.
index_t first_of_tail(const Analysis& analysis, index_t front, const std::vector<index_t>& cut);

}  // namespace frond::gpu
