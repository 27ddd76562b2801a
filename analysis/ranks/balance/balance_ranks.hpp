// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/analysis/rank_mapping.hpp"

namespace frond {

/// Tables of `units`, a mapping for ranks that are alike, in which pairs of ranks have exchanged their parts, in a
/// front or in all that is below one; both have a part there. They do so as long as the rank with most to do has less
/// then, and after that as long as the one that receives most does and none has much more to do. What travels may grow
/// by little. The same for the same input. O(shared fronts * ranks * log + fronts) for each of a few exchanges a rank.
std::vector<RankGrid> balanced_ranks(const AssemblyTree& tree, const std::vector<double>& front_flops,
                                     RankMapping units, const RankMachine& machine, const MessageRule& rule);

}  // namespace frond
